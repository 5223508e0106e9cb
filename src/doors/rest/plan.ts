import type { ReplyHead } from '../pipeline/direct-route.ts'
import type { Representation, WholeBody } from '../reply/representation.ts'
import type { RestRequest, Search } from './handlers.ts'

/** A checked request, and all that is decided before data is read. It is made once, and kept while the request waits. */
export class Plan {
  /** The request as the client sent it, for a later snapshot. */
  readonly asked: RestRequest
  /** The request within the look-back of its key. */
  readonly request: RestRequest
  readonly head: ReplyHead
  readonly #searchFor: (request: RestRequest) => Search
  #search: Search | undefined = undefined
  /** The response, set by `peek`: null if I/O is needed. */
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
