import type { ReplyHead } from '../pipeline/direct-route.ts'
import type { Representation, WholeBody } from '../reply/representation.ts'
import type { RestRequest, Search } from './handlers.ts'

/** A checked request with everything that is decided before it is read. It is made once, and may wait for its turn. */
export class Plan {
  /** The request as the client sent it, for a later snapshot. */
  readonly asked: RestRequest
  /** The request within the look-back of its key. */
  readonly request: RestRequest
  readonly head: ReplyHead
  readonly #searchFor: (request: RestRequest) => Search
  #search: Search | undefined = undefined
  /** The response without I/O: undefined before it was tried, null if that is impossible. */
  ready: Representation<WholeBody> | null | undefined = undefined

  constructor(
    asked: RestRequest,
    request: RestRequest,
    head: ReplyHead,
    searchFor: (request: RestRequest) => Search,
  ) {
    this.asked = asked
    this.request = request
    this.head = head
    this.#searchFor = searchFor
  }

  /** A 304 needs no search. */
  get search(): Search {
    this.#search ??= this.#searchFor(this.request)
    return this.#search
  }
}
