import type { FastifyReply } from 'fastify'
import { fail } from '../../base/errors.ts'
import type { ApiKey } from '../../operate/keys/api-key.ts'
import type { KeyCounter } from '../../operate/keys/counting/key-counter.ts'
import { MINUTE_MS, type TryResult } from '../../operate/keys/counting/tally.ts'
import { QUOTA_WINDOW_MS } from '../../operate/keys/usage-file.ts'
import { onClose } from '../http/request-signal.ts'

/** One request of a quota, which is used while it runs. */
export interface QuotaReservation {
  /** Keeps the request counted, once the response is a success. */
  spend(): void
}

/**
 * Returns a function that counts a request of a key and sets the quota and rate headers. It uses one request of the quota; errors
 * give it back. A rate window is a minute from its first request. Errors: `usage_limit_exceeded`, `rate_limit_exceeded`.
 */
export function openKeyLimits(
  counter: KeyCounter,
): (key: ApiKey, reply: FastifyReply) => QuotaReservation | null {
  return (key, reply) => {
    const { id, quotaPer30Days, ratePerMinute } = key
    if (quotaPer30Days === null && ratePerMinute === null) return null
    const now = Date.now()
    const usage = counter.take(key, now)
    if (quotaPer30Days !== null) checkQuota(key, quotaPer30Days, usage, now, reply)
    if (ratePerMinute !== null) checkRate(key, ratePerMinute, usage, now, reply)
    if (quotaPer30Days === null) return null
    let isSettled = false
    onClose(reply, () => {
      if (!isSettled) counter.release(id, now)
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

function checkQuota(
  { name }: ApiKey,
  quota: number,
  usage: TryResult,
  now: number,
  reply: FastifyReply,
): void {
  const { since, left } = usage.quota
  const resetMs = since + QUOTA_WINDOW_MS
  const resetSeconds = Math.ceil((resetMs - now) / 1000)
  reply.headers({
    'Ledgerlake-Quota-Limit': quota,
    'Ledgerlake-Quota-Remaining': Math.max(0, left - 1),
    'Ledgerlake-Quota-Reset': resetSeconds,
  })
  if (usage.refused !== 'quota') return
  reply.header('Retry-After', resetSeconds)
  fail('usage_limit_exceeded', quotaSentence(name, quota, resetMs))
}

function checkRate({ name }: ApiKey, rate: number, usage: TryResult, now: number, reply: FastifyReply): void {
  const seconds = Math.ceil((usage.minute.start + MINUTE_MS - now) / 1000)
  reply.headers({
    'RateLimit-Limit': rate,
    'RateLimit-Remaining': Math.max(0, rate - usage.minute.count),
    'RateLimit-Reset': seconds,
  })
  if (usage.refused !== 'rate') return
  reply.header('Retry-After', seconds)
  fail(
    'rate_limit_exceeded',
    `The key ${name} may ask ${rate} times a minute; there are more in ${seconds} s.`,
  )
}

function quotaSentence(name: string, quota: number, resetMs: number): string {
  const limit = `${quota.toLocaleString('en-US')} requests in 30 days`
  const reset = new Date(resetMs).toISOString().slice(0, 19).replace('T', ' ')
  return `The key ${name} has used its ${limit}; there are more from ${reset} UTC.`
}
