import { randomBytes } from 'node:crypto'
import type { ApiKey } from '../api-key.ts'
import { type KeyUsage, readUsage } from '../usage-file.ts'
import { type Event, NOBODY } from './event.ts'
import { EventLog } from './event-log.ts'
import { logFolderOf } from './log-files.ts'
import { Tally, type TryResult } from './tally.ts'

/** A log that could not be written is tried again after this time, since it is read as a whole for that. */
const RETRY_MS = 1000

type LimitedKey = Pick<ApiKey, 'id' | 'quotaPer30Days' | 'ratePerMinute'>

/** Counts together with all processes of this machine that use the same folder. */
export interface KeyCounter {
  /** Counts a try of a key with limits; if nothing refuses it and there is a quota, one request of it is used. */
  take(key: LimitedKey, now: number): TryResult
  /** Keeps a request that was tried at `at`. */
  spend(id: string, at: number): void
  /** Gives a request back that was tried at `at`. */
  release(id: string, at: number): void
  /** Gives back what is under way. */
  close(): void
}

/**
 * Opens the counter of the keys of a key file. Its log lies beside that file unless another folder is given, and is made with the first
 * try. A request is in the log before `take` returns. When the log cannot be written, this counter goes on by itself, reports the failure,
 * and writes later what was used and given back.
 */
export function openCounterOf(
  keyFile: string,
  onError: (error: unknown) => void,
  folder = logFolderOf(keyFile),
  retryMs = RETRY_MS,
): KeyCounter {
  const writer = randomBytes(4).toString('hex')
  /** Usage by the file of an older build, and the ids that were looked up in it. */
  let older: ReadonlyMap<string, KeyUsage> | undefined
  const adoptedIds = new Set<string>()
  /** Requests that are neither spent nor given back, by id and time of their try. */
  const underWay: { readonly id: string; readonly at: number }[] = []
  const unwritten: Event[] = []
  let tally = new Tally(writer)
  let log: EventLog | undefined
  /** Counting by itself, since the log cannot be written. */
  let isAlone = false
  let retryAt = 0

  function openLog(): EventLog {
    return new EventLog(folder, () => {
      tally = new Tally(writer)
      return tally
    })
  }

  /** Appends the events that wait, then this one. Without an event the log is read. */
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

  /** Adopts usage that an older build counted, where the log has none of the key. */
  function adoptUsage(id: string): void {
    if (adoptedIds.has(id)) return
    try {
      older ??= readUsage(keyFile, onError)
    } catch (error) {
      // A request does not fail for it; the next one looks again.
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

  /** Returns true for a request that was under way. */
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
