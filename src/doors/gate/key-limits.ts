import { noteFailure } from '../../base/background.ts'
import { ServiceError } from '../../base/errors.ts'
import type { ApiKey } from '../../keys/api-key.ts'
import type { KeyCounter } from '../../keys/counting/key-counter.ts'
import { MINUTE_MS, type TryResult } from '../../keys/counting/tally.ts'
import { QUOTA_WINDOW_MS } from '../../keys/usage-file.ts'
import { TurnBatch } from '../concurrency/turn-batch.ts'

/** One request of a quota, which is used while it runs. The first call decides. */
export interface QuotaReservation {
  /** Keeps the request counted, once the response is a success. */
  spend(): void
  /** Returns the request to the quota. */
  release(): void
}

/** A request that was counted for its key. */
export interface CountedRequest {
  /** Lower-case names and values of the quota and rate headers in turn. */
  readonly headers: readonly string[]
  /** Null for a key without a quota. */
  readonly reservation: QuotaReservation | null
  /** `usage_limit_exceeded` or `rate_limit_exceeded`. */
  readonly refusal: ServiceError | undefined
}

export interface KeyLimits {
  /** Counts a request. It uses one request of the quota until the reservation is released. */
  count(key: ApiKey): CountedRequest
  /** Counts a request together with others of this turn of the event loop. */
  countSoon(key: ApiKey, done: (counted: CountedRequest) => void): void
}

const unknownCount = (): CountedRequest => ({
  ...uncounted,
  refusal: new ServiceError('internal', 'The request could not be counted.'),
})

const uncounted: CountedRequest = { headers: [], reservation: null, refusal: undefined }

/** A rate window is a minute from its first request. */
export function openKeyLimits(counter: KeyCounter): KeyLimits {
  const batch = new TurnBatch<Waiting>((all) => {
    let results: readonly TryResult[] = []
    try {
      results = counter.takeAll(all)
    } catch (error) {
      noteFailure('counting requests', error)
    }
    for (const [index, { key, at, done }] of all.entries()) {
      const result = results[index]
      done(result === undefined ? unknownCount() : judge(key, result, at))
    }
  })

  function judge(key: ApiKey, result: TryResult, now: number): CountedRequest {
    const { id, quotaPer30Days: quota, ratePerMinute: rate } = key
    const headers: string[] = []
    let refusal = quota === null ? undefined : checkQuota(key, quota, result, now, headers)
    if (refusal === undefined && rate !== null) refusal = checkRate(key, rate, result, now, headers)
    const isReserved = quota !== null && refusal === undefined
    return { headers, reservation: isReserved ? new Reservation(counter, id, now) : null, refusal }
  }

  return {
    count(key) {
      if (!hasLimits(key)) return uncounted
      const now = Date.now()
      return judge(key, counter.take(key, now), now)
    },
    countSoon(key, done) {
      if (hasLimits(key)) batch.add({ key, at: Date.now(), done })
      else done(uncounted)
    },
  }
}

interface Waiting {
  readonly key: ApiKey
  readonly at: number
  readonly done: (counted: CountedRequest) => void
}

const hasLimits = ({ quotaPer30Days, ratePerMinute }: ApiKey) =>
  quotaPer30Days !== null || ratePerMinute !== null

class Reservation implements QuotaReservation {
  readonly #counter: KeyCounter
  readonly #id: string
  readonly #at: number
  #isSettled = false

  constructor(counter: KeyCounter, id: string, at: number) {
    this.#counter = counter
    this.#id = id
    this.#at = at
  }

  spend(): void {
    if (!this.#isSettled) this.#counter.spend(this.#id, this.#at)
    this.#isSettled = true
  }

  release(): void {
    if (!this.#isSettled) this.#counter.release(this.#id, this.#at)
    this.#isSettled = true
  }
}

function checkQuota(
  { name }: ApiKey,
  quota: number,
  { refused, quota: { since, left } }: TryResult,
  now: number,
  headers: string[],
): ServiceError | undefined {
  const resetMs = since + QUOTA_WINDOW_MS
  const seconds = String(Math.ceil((resetMs - now) / 1000))
  const remaining = String(Math.max(0, left - 1))
  headers.push('ledgerlake-quota-limit', String(quota), 'ledgerlake-quota-remaining', remaining)
  headers.push('ledgerlake-quota-reset', seconds)
  if (refused !== 'quota') return undefined
  headers.push('retry-after', seconds)
  return new ServiceError('usage_limit_exceeded', quotaSentence(name, quota, resetMs))
}

function checkRate(
  { name }: ApiKey,
  rate: number,
  { refused, minute: { start, count } }: TryResult,
  now: number,
  headers: string[],
): ServiceError | undefined {
  const seconds = String(Math.ceil((start + MINUTE_MS - now) / 1000))
  headers.push('ratelimit-limit', String(rate), 'ratelimit-remaining', String(Math.max(0, rate - count)))
  headers.push('ratelimit-reset', seconds)
  if (refused !== 'rate') return undefined
  headers.push('retry-after', seconds)
  return new ServiceError(
    'rate_limit_exceeded',
    `The key ${name} may ask ${rate} times a minute; there are more in ${seconds} s.`,
  )
}

function quotaSentence(name: string, quota: number, resetMs: number): string {
  const limit = `${quota.toLocaleString('en-US')} requests in 30 days`
  const reset = new Date(resetMs).toISOString().slice(0, 19).replace('T', ' ')
  return `The key ${name} has used its ${limit}; there are more from ${reset} UTC.`
}
