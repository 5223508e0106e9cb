import { randomBytes } from 'node:crypto'
import { fail } from '../../base/errors.ts'
import type { ApiKey } from '../api-key.ts'
import { type KeyUsage, readUsage } from '../usage-file.ts'
import { type Event, NOBODY } from './event.ts'
import { EventLog } from './event-log.ts'
import { logFolderOf } from './log-files.ts'
import { Tally, type TryResult } from './tally.ts'

/** Wait before the next write to a log that failed: a retry reads the whole log. */
const RETRY_MS = 1000

type LimitedKey = Pick<ApiKey, 'id' | 'quotaPer30Days' | 'ratePerMinute'>

/** A request to count, at milliseconds since 1970. */
interface Try {
  readonly key: LimitedKey
  readonly at: number
}

/** Counter shared with all processes of this machine that use the same folder. */
export interface KeyCounter {
  /** Counts a request of a key with limits. If it is accepted and the key has a quota, uses one request of the quota. */
  take(key: LimitedKey, now: number): TryResult
  /** Does the same for several requests in order, with the system calls of one. */
  takeAll(tries: readonly Try[]): readonly TryResult[]
  /** Keeps the request counted at `at`. */
  spend(id: string, at: number): void
  /** Returns the request counted at `at` to the quota. */
  release(id: string, at: number): void
  /** Returns all requests in progress to their quotas. */
  close(): void
}

/**
 * Opens the counter for a key file. Its log is next to that file unless `folder` is given; the first request creates
 * it. A request is in the log before `take` returns.
 * If the log cannot be written, the counter reports the error, counts alone, and writes later what it used and
 * released.
 */
export function openCounterOf(
  keyFile: string,
  onError: (error: unknown) => void,
  folder = logFolderOf(keyFile),
  retryMs = RETRY_MS,
): KeyCounter {
  const writer = randomBytes(4).toString('hex')
  /** Usage from the file of an older build, and the ids already looked up in it. */
  let older: ReadonlyMap<string, KeyUsage> | undefined
  const adoptedIds = new Set<string>()
  /** Requests in progress, by id and time. */
  const underWay: { readonly id: string; readonly at: number }[] = []
  const unwritten: Event[] = []
  let tally = new Tally(writer)
  let log: EventLog | undefined
  /** True while the log cannot be written and this process counts alone. */
  let isAlone = false
  let retryAt = 0

  function openLog(): EventLog {
    return new EventLog(folder, () => {
      tally = new Tally(writer)
      return tally
    })
  }

  /** Appends all queued events, then these. Without events it reads the log. */
  function record(events: readonly Event[]): void {
    const countAlone = () => {
      for (const event of events) tally.apply(event)
    }
    if (isAlone && performance.now() < retryAt) {
      countAlone()
      return
    }
    const before = tally
    const opened = log ?? openLog()
    try {
      while (unwritten[0] !== undefined) {
        opened.append(unwritten.slice(0, 1))
        unwritten.shift()
      }
      if (events.length === 0) opened.read()
      else opened.append(events)
      log = opened
      isAlone = false
    } catch (error) {
      opened.close()
      log = undefined
      if (isAlone) tally = before
      isAlone = true
      retryAt = performance.now() + retryMs
      countAlone()
      onError(error)
    }
  }

  /** Takes over the usage that an older build counted, if the log has none for the key. */
  function adoptUsage(id: string): void {
    if (adoptedIds.has(id)) return
    try {
      older ??= readUsage(keyFile, onError)
    } catch (error) {
      // The request does not fail; the next one tries again.
      onError(error)
      return
    }
    adoptedIds.add(id)
    const usage = older.get(id)
    if (usage === undefined) return
    record([])
    if (tally.usageOf(id) !== undefined) return
    record([{ kind: 'used', id, writer: NOBODY, at: usage.since, first: usage.used, second: null }])
  }

  function giveBack(id: string, at: number): void {
    const event: Event = { kind: 'release', id, writer, at, first: null, second: null }
    record([event])
    if (isAlone) unwritten.push(event)
  }

  /** Returns true if the request was in progress. */
  function end(id: string, at: number): boolean {
    const index = underWay.findIndex((one) => one.id === id && one.at === at)
    if (index >= 0) underWay.splice(index, 1)
    return index >= 0
  }

  const eventOf = ({ key: { id, quotaPer30Days, ratePerMinute }, at }: Try): Event => ({
    kind: 'try',
    id,
    writer,
    at,
    first: quotaPer30Days,
    second: ratePerMinute,
  })

  function takeAll(tries: readonly Try[]): readonly TryResult[] {
    for (const { key } of tries) adoptUsage(key.id)
    record(tries.map(eventOf))
    const results = tally.takeResults(tries.length)
    for (const [index, { key, at }] of tries.entries())
      if (results[index]?.refused === undefined && key.quotaPer30Days !== null) {
        underWay.push({ id: key.id, at })
        if (isAlone) unwritten.push({ id: key.id, writer, at, kind: 'spend', first: null, second: null })
      }
    return results
  }

  return {
    take(key, at) {
      const [result] = takeAll([{ key, at }])
      return result ?? fail('internal', 'a request was not counted')
    },
    takeAll,
    spend(id, at) {
      end(id, at)
    },
    release(id, at) {
      if (end(id, at)) giveBack(id, at)
    },
    close() {
      for (const { id, at } of underWay.splice(0)) giveBack(id, at)
      log?.close()
      log = undefined
    },
  }
}
