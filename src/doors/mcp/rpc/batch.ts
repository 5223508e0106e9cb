import { type RpcError, rpcError } from './rpc-error.ts'

/** The only revision with batches, and the revision of HTTP clients that name none. */
export const WITH_BATCHES = '2025-03-26'
const MOST_MESSAGES = 100

/** Returns the error of a batch that the revision does not allow. */
export function refuseBatch(given: unknown, revision: unknown): RpcError | undefined {
  if (!Array.isArray(given)) return undefined
  if (revision !== WITH_BATCHES)
    return rpcError(
      'invalidRequest',
      `Only revision ${WITH_BATCHES} has batches. Send each message by itself.`,
    )
  if (given.length > 0 && given.length <= MOST_MESSAGES) return undefined
  return rpcError('invalidRequest', `The batch has ${given.length} messages; expected 1 to ${MOST_MESSAGES}.`)
}
