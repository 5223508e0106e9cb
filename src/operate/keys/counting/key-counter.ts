import type { ApiKey } from '../api-key.ts'
import { type KeyUsage, UsageFile, usageFileOf } from '../usage-file.ts'
import { type Event, NO_KEY, NOBODY } from './event.ts'
import { EventLog } from './event-log.ts'
import { introduce, isGone, newHolderName } from './holder.ts'
import { isMore, Tally, type TryResult } from './tally.ts'

/** A log that could not be written is tried again after this time, since it is read as a whole for that. */
const RETRY_MS = 1000

type LimitedKey = Pick<ApiKey, 'id' | 'quotaPer30Days' | 'ratePerMinute'>

/** Counts together with all processes of this machine that use the same folder. */
export interface KeyCounter {
  /** Counts a try of a key with limits; if nothing refuses it and there is a quota, one request of it is reserved. */
  take(key: LimitedKey, now: number): TryResult
  /** Counts a reserved request, which was tried at `at`. */
  spend(id: string, at: number): void
  /** Gives a reserved request back. */
  release(id: string, now: number): void
  close(): void
}

/** The counter of the keys of a key file: its usage file lies beside that file, and its log too unless another folder is given. */
export function openCounterOf(
  keyFile: string,
  onError: (error: unknown) => void,
  folder = `${usageFileOf(keyFile)}.log`,
  retryMs = RETRY_MS,
): KeyCounter {
  return openKeyCounter(folder, new UsageFile(usageFileOf(keyFile), onError), onError, retryMs)
}

/**
 * Opens the counter of a folder, which is made with the first try. What is spent is in the log before the call returns, then in the
 * usage file. When the log cannot be written, this counter goes on by itself, reports the failure, and writes later what was spent and given back.
 */
function openKeyCounter(
  folder: string,
  usageFile: UsageFile,
  onError: (error: unknown) => void,
  retryMs: number,
): KeyCounter {
  const ownName = newHolderName()
  /** Ids whose line in the usage file was read. */
  const checkedIds = new Set<string>()
  const unwritten: Event[] = []
  let tally = new Tally()
  let log: EventLog | undefined
  /** Counting by itself, since the log cannot be written. */
  let isAlone = false
  let retryAt = 0
  let isClosed = false

  function openLog(): EventLog {
    return new EventLog(folder, () => {
      tally = new Tally()
      return tally
    })
  }

  function countAlone(event: Event): void {
    if (event.kind === 'spend' || event.kind === 'release') unwritten.push(event)
    tally.apply(event)
  }

  function record(event: Event): void {
    if (isAlone && performance.now() < retryAt) {
      countAlone(event)
      return
    }
    const before = tally
    const opened = log ?? openLog()
    try {
      while (unwritten[0] !== undefined) {
        opened.append(unwritten[0])
        unwritten.shift()
      }
      opened.append(event)
      log = opened
      isAlone = false
    } catch (error) {
      opened.close()
      log = undefined
      if (isAlone) tally = before
      isAlone = true
      retryAt = performance.now() + retryMs
      countAlone(event)
      onError(error)
    }
  }

  /** Adopts usage counted by an older build, or before the log was lost. */
  function adoptUsage(id: string): void {
    if (checkedIds.has(id)) return
    let usageInFile: KeyUsage | undefined
    try {
      usageInFile = usageFile.find(id)
    } catch (error) {
      // A request does not fail for it; the next one looks again.
      onError(error)
      return
    }
    checkedIds.add(id)
    if (usageInFile === undefined || !isMore(tally.usageOf(id), usageInFile)) return
    record({ kind: 'used', id, holder: NOBODY, at: usageInFile.since, first: usageInFile.used, second: null })
  }

  /** Again after a day without a request, or should others have taken this process for one that has ended. */
  function introduceOnce(at: number): void {
    if (tally.holder(ownName) === undefined) record(introduce(ownName, at))
  }

  function attempt({ id, quotaPer30Days: first, ratePerMinute: second }: LimitedKey, at: number): TryResult {
    introduceOnce(at)
    adoptUsage(id)
    record({ kind: 'try', id, holder: ownName, at, first, second })
    const result = tally.takenBy(ownName)
    introduceOnce(at)
    return result
  }

  /** Frees what ended processes had reserved; gives whether there was any. */
  function freeGone(id: string, at: number): boolean {
    const gone = tally.holdersOf(id).filter((name) => name !== ownName && isGone(name, tally.holder(name)))
    for (const holder of gone) record({ kind: 'gone', id: NO_KEY, holder, at, first: null, second: null })
    return gone.length > 0
  }

  return {
    take(key, now) {
      const result = attempt(key, now)
      return result.refused === 'quota' && freeGone(key.id, now) ? attempt(key, now) : result
    },
    spend(id, at) {
      record({ kind: 'spend', id, holder: ownName, at, first: null, second: null })
      const usage = tally.usageOf(id)
      // A line that could not be read may say more.
      if (isAlone || usage === undefined || !checkedIds.has(id)) return
      try {
        usageFile.write(id, usage)
      } catch (error) {
        onError(error)
      }
    },
    release(id, at) {
      if (!isClosed) record({ kind: 'release', id, holder: ownName, at, first: null, second: null })
    },
    close() {
      isClosed = true
      if (tally.holdsAny(ownName))
        record({ kind: 'gone', id: NO_KEY, holder: ownName, at: Date.now(), first: null, second: null })
      log?.close()
      log = undefined
      usageFile.close()
    },
  }
}
