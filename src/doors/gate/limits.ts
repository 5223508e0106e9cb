import type { FastifyReply } from 'fastify'
import { fail } from '../../base/errors.ts'
import type { ApiKey } from '../../operate/keys/api-key.ts'
import type { KeyCounter } from '../../operate/keys/counting/key-counter.ts'
import { MINUTE_MS, type Taken } from '../../operate/keys/counting/tally.ts'
import { QUOTA_WINDOW_MS } from '../../operate/keys/usage-file.ts'
import { whenOver } from '../http/request-signal.ts'

/** One request of a quota, reserved while it is answered. */
export interface SetAside {
  /** Counts it, once the answer is a success. */
  spend(): void
}

/**
 * Counts a request of a key and says in headers what is left. One request of the quota is reserved: it is counted when the answer is a
 * success and released otherwise. So errors cost nothing, and requests at the same time cannot exceed the quota. The rate counts
 * requests in minutes that begin with the first of them. Errors: `usage_limit_exceeded`, `rate_limit_exceeded`.
 */
export function limitsOf(counter: KeyCounter): (key: ApiKey, reply: FastifyReply) => SetAside | null {
  return (key, reply) => {
    const { id, quotaPer30Days, ratePerMinute } = key
    if (quotaPer30Days === null && ratePerMinute === null) return null
    const now = Date.now()
    const taken = counter.take(key, now)
    if (quotaPer30Days !== null) tellQuota(key, quotaPer30Days, taken, now, reply)
    if (ratePerMinute !== null) tellRate(key, ratePerMinute, taken, now, reply)
    if (quotaPer30Days === null) return null
    let isSettled = false
    whenOver(reply, () => {
      if (!isSettled) counter.release(id, Date.now())
      isSettled = true
    })
    return {
      spend() {
        if (!isSettled) counter.spend(id, now)
        isSettled = true
      },
    }
  }
}

function tellQuota({ name }: ApiKey, quota: number, taken: Taken, now: number, reply: FastifyReply): void {
  const { since, left } = taken.quota
  const resetMs = since + QUOTA_WINDOW_MS
  const resetSeconds = Math.ceil((resetMs - now) / 1000)
  reply.headers({
    'Ledgerlake-Quota-Limit': quota,
    'Ledgerlake-Quota-Remaining': Math.max(0, left - 1),
    'Ledgerlake-Quota-Reset': resetSeconds,
  })
  if (taken.refused !== 'quota') return
  reply.header('Retry-After', resetSeconds)
  fail('usage_limit_exceeded', usedUp(name, quota, resetMs))
}

function tellRate({ name }: ApiKey, rate: number, taken: Taken, now: number, reply: FastifyReply): void {
  const seconds = Math.ceil((taken.minute.start + MINUTE_MS - now) / 1000)
  reply.headers({
    'RateLimit-Limit': rate,
    'RateLimit-Remaining': Math.max(0, rate - taken.minute.count),
    'RateLimit-Reset': seconds,
  })
  if (taken.refused !== 'rate') return
  reply.header('Retry-After', seconds)
  fail(
    'rate_limit_exceeded',
    `The key ${name} may ask ${rate} times a minute; there are more in ${seconds} s.`,
  )
}

function usedUp(name: string, quota: number, resetMs: number): string {
  const limit = `${quota.toLocaleString('en-US')} requests in 30 days`
  const reset = new Date(resetMs).toISOString().slice(0, 19).replace('T', ' ')
  return `The key ${name} has used its ${limit}; there are more from ${reset} UTC.`
}
