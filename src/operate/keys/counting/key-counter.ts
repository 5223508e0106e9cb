import { randomBytes } from 'node:crypto'
import type { ApiKey } from '../api-key.ts'
import { type KeyUsage, readUsage } from '../usage-file.ts'
import { type Event, NOBODY } from './event.ts'
import { EventLog } from './event-log.ts'
import { logFolderOf } from './log-files.ts'
import { Tally, type TryResult } from './tally.ts'

/** Wait before the next write to a log that failed: a retry reads the whole log. */
const RETRY_MS = 1000

type LimitedKey = Pick<ApiKey, 'id' | 'quotaPer30Days' | 'ratePerMinute'>

/** Counter shared with all processes of this machine that use the same folder. */
export interface KeyCounter {
  /**
   * Counts a request of a key with limits. If it is accepted and the key has a quota, uses one request of the quota.
   */
  take(key: LimitedKey, now: number): TryResult
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

  /** Appends all queued events, then this one. Without an event it reads the log. */
  function record(event?: Event): void {
    const countAlone = () => {
      if (event !== undefined) tally.apply(event)
    }
    if (isAlone && performance.now() < retryAt) {
      countAlone()
      return
    }
    const before = tally
    const opened = log ?? openLog()
    try {
      while (unwritten[0] !== undefined) {
        opened.append(unwritten[0])
        unwritten.shift()
      }
      if (event === undefined) opened.read()
      else opened.append(event)
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
    record()
    if (tally.usageOf(id) !== undefined) return
    record({ kind: 'used', id, writer: NOBODY, at: usage.since, first: usage.used, second: null })
  }

  function giveBack(id: string, at: number): void {
    const event: Event = { kind: 'release', id, writer, at, first: null, second: null }
    record(event)
    if (isAlone) unwritten.push(event)
  }

  /** Returns true if the request was in progress. */
  function end(id: string, at: number): boolean {
    const index = underWay.findIndex((one) => one.id === id && one.at === at)
    if (index >= 0) underWay.splice(index, 1)
    return index >= 0
  }

  return {
    take({ id, quotaPer30Days, ratePerMinute }, at) {
      const of = { id, writer, at }
      adoptUsage(id)
      record({ ...of, kind: 'try', first: quotaPer30Days, second: ratePerMinute })
      const { result } = tally
      if (result.refused !== undefined || quotaPer30Days === null) return result
      underWay.push({ id, at })
      if (isAlone) unwritten.push({ ...of, kind: 'spend', first: null, second: null })
      return result
    },
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
