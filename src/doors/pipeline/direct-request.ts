import type { IncomingMessage } from 'node:http'
import type { ApiKey } from '../../keys/api-key.ts'

/** A GET request before routing. */
export class DirectRequest {
  readonly message: IncomingMessage
  /** Null while no keys are needed. */
  readonly key: ApiKey | null
  /** The last segment of a path with an id. */
  id = ''
  /** Query string without the question mark. */
  query = ''
  /** Opaque here: the plan of the route, which its Fastify handler continues. */
  plan: object | undefined = undefined

  constructor(message: IncomingMessage, key: ApiKey | null) {
    this.message = message
    this.key = key
  }
}
