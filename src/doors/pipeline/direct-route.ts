import type { Feature } from '../../catalog/feature.ts'
import type { Representation, WholeBody } from '../reply/representation.ts'
import type { DirectRequest } from './direct-request.ts'
import type { ReplyOrigin } from './sent-replies.ts'

/** ETag and specific headers of a response, known before its body. */
export interface ReplyHead {
  readonly tag: string
  /** Lower-case names and values in turn. */
  readonly headers: readonly string[]
  /** Null if an equal request may get another response. */
  readonly origin: ReplyOrigin | null
}

/** A response that was computed synchronously. */
export interface ReadyReply extends ReplyHead {
  /** Undefined for a 304. */
  readonly representation: Representation<WholeBody> | undefined
}

export interface DirectRoute {
  /** Such as `/v1/net/l2/makers/:id`. */
  readonly path: string
  /** True if the route has several representations. */
  readonly isNegotiated: boolean
  readonly needs: readonly Feature[]
  /** Returns the response if it can be computed synchronously; otherwise may leave a plan in the request. Errors: those of the route. */
  readonly answer: (request: DirectRequest) => ReadyReply | undefined
}
