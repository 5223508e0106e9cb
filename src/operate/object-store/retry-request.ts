import { setTimeout } from 'node:timers/promises'
import { StoreFault } from './object-store.ts'

/** Number of attempts and the first backoff, which doubles with jitter; a reply may ask for a longer wait. */
export interface RetryPolicy {
  readonly attempts: number
  readonly firstWaitMs: number
}

export const defaultRetryPolicy: RetryPolicy = { attempts: 8, firstWaitMs: 250 }

const LONGEST_WAIT_MS = 20_000
/** A longer wait that a reply asks for ends the retries. */
export const LONGEST_ASKED_MS = 900_000

/**
 * Retries `ask` while its fault may pass; renews credentials once.
 * Errors: those of `ask`, the reason of the signal.
 */
export async function retryRequest<T>(
  ask: () => Promise<T>,
  { attempts, firstWaitMs }: RetryPolicy,
  signal?: AbortSignal,
): Promise<T> {
  let hasExpired = false
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof StoreFault) || attempt >= attempts || error.waitMs > LONGEST_ASKED_MS)
        throw error
      if (error.kind === 'expired' ? hasExpired : error.kind !== 'passing') throw error
      hasExpired ||= error.kind === 'expired'
      const backoff = Math.min(LONGEST_WAIT_MS, firstWaitMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
      await setTimeout(Math.max(backoff, error.waitMs), undefined, { signal })
    }
  }
}
