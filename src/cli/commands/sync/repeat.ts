import { setTimeout } from 'node:timers/promises'
import { sentenceOf } from '../../../base/errors.ts'
import { readOriginMark } from '../../../lake/disk/origin-mark.ts'
import { vacuum } from '../../../lake/vacuum/vacuum.ts'
import { commitTarget, remoteFilesOf } from '../../../services/copies.ts'
import type { Settings } from '../../../services/settings/settings.ts'
import { compact } from '../../../write/compact/compact.ts'

/** Longest wait, in intervals. The wait doubles after each failure in a row. */
const LONGEST_BACK_OFF = 8
const DAY_MS = 86_400_000

/**
 * Calls `run` repeatedly until the signal is aborted, and `care` once a day. Errors are reported and do not end the
 * loop.
 */
export async function repeat(
  run: () => Promise<unknown>,
  care: () => Promise<void>,
  everyMs: number,
  signal: AbortSignal,
  problem: (sentence: string) => void,
): Promise<void> {
  let caredAt = Number.NEGATIVE_INFINITY
  for (let failures = 0; !signal.aborted; ) {
    try {
      await run()
      failures = 0
      if (performance.now() - caredAt >= DAY_MS) {
        await care()
        caredAt = performance.now()
      }
    } catch (error) {
      if (signal.aborted) return
      failures += 1
      problem(sentenceOf(error))
    }
    const wait = everyMs * Math.min(LONGEST_BACK_OFF, 2 ** Math.max(0, failures - 1))
    await setTimeout(wait, undefined, { signal }).catch(() => {})
  }
}

/**
 * Compacts closed months if this lake accepts commits, and removes files that only snapshots older than `keepHours`
 * use.
 */
export async function tidyUp(
  settings: Settings,
  keepHours: number,
  say: (line: string) => void,
): Promise<void> {
  const { lake } = settings
  const commits = commitTarget(settings)
  const isShared = commits.remote === undefined && readOriginMark(lake) !== undefined
  const merged = isShared ? [] : await compact({ ...commits, months: undefined })
  const removed = (
    await vacuum({ lake, elsewhere: remoteFilesOf(settings), keepHours, isDryRun: false })
  ).flatMap(({ paths }) => paths)
  if (merged.length + removed.length > 0)
    say(`${merged.length} months of tables compacted, ${removed.length} old files removed`)
}
