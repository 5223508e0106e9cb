import { type KeyUsage, QUOTA_WINDOW_MS, usageAt } from '../usage-file.ts'
import { type Event, NO_KEY, NOBODY } from './event.ts'

export const MINUTE_MS = 60_000
/** No request is under way for longer: the largest timeout of a whole list. */
export const LONGEST_REQUEST_MS = 86_400_000

/** Result of a try. `left` is the quota before it, `count` the tries of the minute with this one. */
export interface TryResult {
  readonly refused: 'quota' | 'rate' | undefined
  readonly quota: KeyUsage & { readonly left: number }
  readonly minute: { readonly start: number; readonly count: number }
}

interface KeyCounts {
  usage: KeyUsage | undefined
  /** The window before that one, for a clock that was ahead and comes back to it. */
  before: KeyUsage | undefined
  minute: { readonly start: number; readonly count: number }
  /** Requests that are reserved while they are answered, by holder. */
  readonly held: Map<string, number>
}

/** A process that counts: where its number means something, the number, and when it started. `seen` is its last event. */
export interface CountingProcess {
  readonly space: string
  readonly pid: number
  readonly startedAt: number
  readonly seen: number
}

/** The counts of all keys. They follow from the events and their order alone, so whoever reads the log has the same. */
export class Tally {
  readonly #keys = new Map<string, KeyCounts>()
  readonly #holders = new Map<string, CountingProcess>()
  readonly #taken = new Map<string, TryResult>()

  /** The holders that have requests of a key reserved. */
  holdersOf(id: string): readonly string[] {
    return [...(this.#keys.get(id)?.held ?? [])].flatMap(([holder, count]) => (count > 0 ? [holder] : []))
  }

  holder(name: string): CountingProcess | undefined {
    return this.#holders.get(name)
  }

  holdsAny(holder: string): boolean {
    return [...this.#keys.values()].some(({ held }) => (held.get(holder) ?? 0) > 0)
  }

  /** The usage last counted; undefined before anything was. */
  usageOf(id: string): KeyUsage | undefined {
    return this.#keys.get(id)?.usage
  }

  /** Returns the result of the last try of a holder. */
  takenBy(holder: string): TryResult {
    const result = this.#taken.get(holder)
    if (result === undefined) throw new Error('nothing was tried yet')
    return result
  }

  apply(event: Event): void {
    const { kind, id, holder, at, first, second } = event
    const counter = this.#holders.get(holder)
    if (kind === 'holder')
      this.#holders.set(holder, { space: id, pid: second ?? 0, startedAt: first ?? 0, seen: at })
    else if (counter !== undefined) this.#holders.set(holder, { ...counter, seen: at })
    if (kind === 'try') this.#taken.set(holder, this.#try(this.#of(id), event))
    else if (kind === 'spend') this.#spend(this.#of(id), event)
    else if (kind === 'release') hold(this.#of(id), holder, -1)
    else if (kind === 'held') hold(this.#of(id), holder, first ?? 0)
    else if (kind === 'minute') this.#of(id).minute = { start: at, count: first ?? 0 }
    else if (kind === 'used') raise(this.#of(id), { since: at, used: first ?? 0 })
    else if (kind === 'gone') {
      for (const { held } of this.#keys.values()) held.delete(holder)
      this.#holders.delete(holder)
      this.#taken.delete(holder)
    }
  }

  /** Events that lead to the same counts. Holders that hold nothing and have not been seen for a day introduce themselves again. */
  events(): readonly Event[] {
    const list: Event[] = []
    const newest = Math.max(...[...this.#holders.values()].map(({ seen }) => seen))
    for (const [holder, { space, pid, startedAt, seen }] of this.#holders)
      if (newest - seen < LONGEST_REQUEST_MS || this.holdsAny(holder))
        list.push({ kind: 'holder', id: space, holder, at: seen, first: startedAt, second: pid })
    for (const [id, { usage, before, minute, held }] of this.#keys) {
      const of = { id, holder: NOBODY, second: null }
      for (const window of [before, usage])
        if (window !== undefined) list.push({ ...of, kind: 'used', at: window.since, first: window.used })
      if (minute.count > 0) list.push({ ...of, kind: 'minute', at: minute.start, first: minute.count })
      for (const [holder, count] of held)
        if (count > 0)
          list.push({ ...of, kind: 'held', holder, at: this.#holders.get(holder)?.seen ?? 0, first: count })
    }
    return list
  }

  #of(id: string): KeyCounts {
    const counts = this.#keys.get(id) ?? {
      ...{ usage: undefined, before: undefined, minute: { start: 0, count: 0 }, held: new Map() },
    }
    if (id !== NO_KEY) this.#keys.set(id, counts)
    return counts
  }

  #try(counts: KeyCounts, { holder, at, first: quota, second: rate }: Event): TryResult {
    counts.minute = minuteAt(counts.minute, at)
    comeBack(counts, at)
    const { since, used } = usageAt(counts.usage, at)
    const held = [...counts.held.values()].reduce((sum, count) => sum + count, 0)
    const remaining = quota === null ? 0 : quota - used - held
    const of = { quota: { since, used, left: remaining } }
    if (quota !== null && remaining < 1) return { ...of, refused: 'quota', minute: counts.minute }
    if (rate !== null) {
      const isOver = at - counts.minute.start >= MINUTE_MS
      counts.minute = isOver ? { start: at, count: 1 } : { ...counts.minute, count: counts.minute.count + 1 }
      if (counts.minute.count > rate) return { ...of, refused: 'rate', minute: counts.minute }
    }
    if (quota !== null) hold(counts, holder, 1)
    return { ...of, refused: undefined, minute: counts.minute }
  }

  #spend(counts: KeyCounts, { holder, at }: Event): void {
    hold(counts, holder, -1)
    const { since, used } = usageAt(counts.usage, at)
    if (counts.usage !== undefined && since !== counts.usage.since) counts.before = counts.usage
    counts.usage = { since, used: used + 1 }
  }
}

function hold({ held }: KeyCounts, holder: string, by: number): void {
  held.set(holder, Math.max(0, (held.get(holder) ?? 0) + by))
}

/** Takes over what was counted elsewhere, by an older build say, if it is more. */
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
 * The same for a window, which other processes may have begun a moment ago. If the clock comes back to the window before, both are one:
 * nobody gets more by a clock that goes to and fro, and nobody waits for a time that was never.
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
export function isMore(usage: KeyUsage | undefined, candidate: KeyUsage): boolean {
  if (usage === undefined || candidate.since >= usage.since + QUOTA_WINDOW_MS) return true
  return candidate.since === usage.since && candidate.used > usage.used
}
