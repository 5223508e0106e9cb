import type { FastifyReply } from 'fastify'
import { fail } from '../../errors.ts'
import type { ApiKey } from '../../keys/api-key.ts'
import { QUOTA_WINDOW_MS, type UsageFile } from '../../keys/usage-file.ts'
import { whenOver } from '../request-signal.ts'

/** One request of a quota, reserved while it is answered. */
export interface SetAside {
  /** Counts it, once the answer is a success. */
  spend(): void
}

/**
 * Reserves one request of the quota: it is counted when the answer is a success and released otherwise. So errors cost
 * nothing, and requests at the same time cannot exceed the quota. Errors: `usage_limit_exceeded`.
 */
export function quotasOf(usage: UsageFile): (key: ApiKey, reply: FastifyReply) => SetAside | null {
  const setAside = new Map<string, number>()
  const change = (id: string, by: number) => setAside.set(id, (setAside.get(id) ?? 0) + by)

  return ({ id, name, quotaPer30Days: quota }, reply) => {
    if (quota === null) return null
    const now = Date.now()
    const { since, used } = usage.of(id, now)
    const left = quota - used - (setAside.get(id) ?? 0)
    const resetMs = since + QUOTA_WINDOW_MS
    const resetSeconds = Math.ceil((resetMs - now) / 1000)
    reply.headers({
      'Ledgerlake-Quota-Limit': quota,
      'Ledgerlake-Quota-Remaining': Math.max(0, left - 1),
      'Ledgerlake-Quota-Reset': resetSeconds,
    })
    if (left < 1) {
      reply.header('Retry-After', resetSeconds)
      fail('usage_limit_exceeded', usedUp(name, quota, resetMs))
    }
    change(id, 1)
    let isSettled = false
    const settle = () => {
      if (!isSettled) change(id, -1)
      isSettled = true
    }
    whenOver(reply, settle)
    return {
      spend() {
        settle()
        usage.count(id, now)
      },
    }
  }
}

function usedUp(name: string, quota: number, resetMs: number): string {
  const limit = `${quota.toLocaleString('en-US')} requests in 30 days`
  const reset = new Date(resetMs).toISOString().slice(0, 19).replace('T', ' ')
  return `The key ${name} has used its ${limit}; there are more from ${reset} UTC.`
}
