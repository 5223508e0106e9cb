import { type KeyUsage, QUOTA_WINDOW_MS, usageAt } from '../usage-file.ts'
import { type Event, NOBODY } from './event.ts'

export const MINUTE_MS = 60_000

/** Result of a request. `left` is the quota before it; `count` is the requests of this minute, including it. */
export interface TryResult {
  readonly refused: 'quota' | 'rate' | undefined
  readonly quota: KeyUsage & { readonly left: number }
  readonly minute: { readonly start: number; readonly count: number }
}

interface KeyCounts {
  usage: KeyUsage | undefined
  /** The previous window, in case the clock was ahead and is set back into it. */
  before: KeyUsage | undefined
  minute: { readonly start: number; readonly count: number }
}

/** Counts of all keys. They depend only on the events and their order, so all readers of the log agree. */
export class Tally {
  readonly #keys = new Map<string, KeyCounts>()
  readonly #reader: string
  #results: TryResult[] = []

  /** `reader` is the counter whose results `takeResults` returns. */
  constructor(reader: string) {
    this.#reader = reader
  }

  /** Returns the latest usage; undefined if nothing was counted. */
  usageOf(id: string): KeyUsage | undefined {
    return this.#keys.get(id)?.usage
  }

  /** Returns the results of the reader's last `count` requests, and forgets all results. */
  takeResults(count: number): readonly TryResult[] {
    const results = this.#results.slice(-count)
    this.#results = []
    if (results.length < count)
      throw new Error(`${count} requests were counted, and ${results.length} have results`)
    return results
  }

  apply(event: Event): void {
    const { kind, id, writer, at, first } = event
    if (kind === 'end' || kind === 'older') return
    const counts = this.#of(id)
    if (kind === 'try') {
      const result = tryIn(counts, event)
      if (writer === this.#reader) this.#results.push(result)
    } else if (kind === 'spend') count(counts, at)
    else if (kind === 'release') release(counts, at)
    else if (kind === 'used') raise(counts, { since: at, used: first ?? 0 })
    else counts.minute = { start: at, count: first ?? 0 }
  }

  /** Returns events that rebuild the counts. */
  events(): readonly Event[] {
    const list: Event[] = []
    for (const [id, { usage, before, minute }] of this.#keys) {
      const of = { id, writer: NOBODY, second: null }
      for (const window of [before, usage])
        if (window !== undefined) list.push({ ...of, kind: 'used', at: window.since, first: window.used })
      if (minute.count > 0) list.push({ ...of, kind: 'minute', at: minute.start, first: minute.count })
    }
    return list
  }

  #of(id: string): KeyCounts {
    const none = { usage: undefined, before: undefined, minute: { start: 0, count: 0 } }
    const counts = this.#keys.get(id) ?? none
    this.#keys.set(id, counts)
    return counts
  }
}

/** Checks quota and rate, and counts the request if both allow it. */
function tryIn(counts: KeyCounts, { at, first: quota, second: rate }: Event): TryResult {
  counts.minute = minuteAt(counts.minute, at)
  comeBack(counts, at)
  const { since, used } = usageAt(counts.usage, at)
  const left = quota === null ? 0 : quota - used
  const isUsedUp = quota !== null && left < 1
  if (rate !== null && !isUsedUp) counts.minute = oneMore(counts.minute, at)
  const isTooFast = rate !== null && counts.minute.count > rate
  const refused = isUsedUp ? 'quota' : isTooFast ? 'rate' : undefined
  if (quota !== null && refused === undefined) count(counts, at)
  return { refused, quota: { since, used, left }, minute: counts.minute }
}

function oneMore({ start, count }: KeyCounts['minute'], at: number): KeyCounts['minute'] {
  return at - start >= MINUTE_MS ? { start: at, count: 1 } : { start, count: count + 1 }
}

function count(counts: KeyCounts, at: number): void {
  const { since, used } = usageAt(counts.usage, at)
  const { usage } = counts
  if (usage !== undefined && usage.used > 0 && since !== usage.since) counts.before = usage
  counts.usage = { since, used: used + 1 }
}

/** Releases a request in the window in which it was counted. */
function release(counts: KeyCounts, at: number): void {
  const { usage, before } = counts
  if (before !== undefined && usage !== undefined && at < usage.since) counts.before = oneLess(before)
  else if (usage !== undefined) counts.usage = oneLess(usage)
}

const oneLess = ({ since, used }: KeyUsage): KeyUsage => ({ since, used: Math.max(0, used - 1) })

/** Takes over a count from elsewhere, such as an older build, if it is higher. */
function raise(counts: KeyCounts, candidate: KeyUsage): void {
  if (!isMore(counts.usage, candidate)) return
  if (candidate.since !== counts.usage?.since) counts.before = counts.usage
  counts.usage = candidate
}

/** Keeps the count when the clock is set back; the minute restarts at the first try after that. */
function minuteAt(minute: KeyCounts['minute'], at: number): KeyCounts['minute'] {
  return minute.start - at >= MINUTE_MS ? { start: at, count: minute.count } : minute
}

/**
 * Does the same for the window, which another process may have started a moment ago. A clock set back into the previous
 * window merges both: changing the clock gives nobody more requests, and nobody waits for a time that never was.
 */
function comeBack(counts: KeyCounts, at: number): void {
  const { usage, before } = counts
  if (usage === undefined || usage.since - at < MINUTE_MS) return
  const isThatOne = before !== undefined && at < before.since + QUOTA_WINDOW_MS
  counts.usage = {
    since: isThatOne ? Math.min(before.since, at) : at,
    used: usage.used + (isThatOne ? before.used : 0),
  }
  counts.before = undefined
}

/** Returns true if a usage counts more in the same window, or is of a later window. */
function isMore(usage: KeyUsage | undefined, candidate: KeyUsage): boolean {
  if (usage === undefined || candidate.since >= usage.since + QUOTA_WINDOW_MS) return true
  return candidate.since === usage.since && candidate.used > usage.used
}
