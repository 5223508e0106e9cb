import type { ReplyHead } from '../pipeline/direct-route.ts'
import type { Representation, WholeBody } from '../reply/representation.ts'
import type { RestRequest, Search } from './handlers.ts'

type Ready = Representation<WholeBody>

/** A checked request, and all that is decided before data is read. It is made once, and kept while the request waits. */
export class Plan {
  /** The request as the client sent it, for a later snapshot. */
  readonly asked: RestRequest
  /** The request within the look-back of its key. */
  readonly request: RestRequest
  readonly head: ReplyHead
  readonly #searchFor: (request: RestRequest) => Search
  #search: Search | undefined = undefined
  #first: { readonly ready?: Ready | undefined; readonly error?: unknown } | undefined = undefined

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

  /**
   * Returns what `peek` returned the first time, or throws its error again, such as `not_found`: the pipeline leaves both to the
   * route, which does not search again.
   */
  peekOnce(peek: () => Ready | undefined): Ready | undefined {
    if (this.#first === undefined)
      try {
        this.#first = { ready: peek() }
      } catch (error) {
        this.#first = { error }
      }
    if ('error' in this.#first) throw this.#first.error
    return this.#first.ready
  }

  /** A 304 needs no search. */
  get search(): Search {
    this.#search ??= this.#searchFor(this.request)
    return this.#search
  }
}
