import { setImmediate } from 'node:timers/promises'
import { repeatAfter } from '../../base/background.ts'
import { ServiceError } from '../../base/errors.ts'
import type { DataFile } from '../facts/data-file.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import type { CheckedFiles } from './checked-files.ts'
import type { DigestedFile } from './verdict.ts'

export interface ScrubOptions {
  readonly bytesPerSecond: number
  /** Age of a verdict at which a file is checked again, although unchanged; 0: never. */
  readonly periodMs: number
  /** Decides whether this process does the checks. */
  readonly isMine?: (() => Promise<boolean>) | undefined
  /** Decides whether a file is local; a copy need not have all files. */
  readonly isHere?: (path: string) => boolean
  readonly lookAgainMs?: number
}

const LOOK_AGAIN_MS = 5000
const DAMAGED_AGAIN_MS = 60_000
const FILES_PER_TURN = 100

/**
 * Checks in the background files without a verdict since the start or since their last change, newest first, and all
 * files again after a period.
 */
export function keepChecked(
  checked: CheckedFiles,
  current: () => Snapshot | undefined,
  options: ScrubOptions,
  onError: (error: unknown) => void,
): { close(): void } {
  const { bytesPerSecond, periodMs, lookAgainMs = LOOK_AGAIN_MS } = options
  const { isMine = async () => true, isHere = () => true } = options
  let isClosed = false

  function isDue(file: DigestedFile): boolean {
    if (checked.verdicts.now(file) === undefined) return true
    const { verdict, age = 0 } = checked.verdicts.latest(file.path) ?? {}
    const period = verdict?.fault === undefined ? periodMs : DAMAGED_AGAIN_MS
    return period > 0 && age >= period
  }

  async function pass(): Promise<void> {
    const at = current()
    if (at === undefined) return
    for (const [index, file] of newestFirst(at).entries()) {
      if (index % FILES_PER_TURN === FILES_PER_TURN - 1) await setImmediate()
      if (!isDue(file) || !isHere(file.path)) continue
      if (isClosed || !(await isMine())) return
      await checked.check(file, bytesPerSecond).catch(unlessUnread)
    }
  }

  const passes = repeatAfter(
    lookAgainMs,
    'comparing files with their digests',
    () => pass().catch(onError),
    0,
  )
  return {
    /** Does not wait for a running check. */
    close() {
      isClosed = true
      passes.stop()
    },
  }
}

/** Sorts the files of all tables: first those without a partition, which most requests need, then newest month first. */
function newestFirst({ tables }: Snapshot): readonly DataFile[] {
  const files = tables.flatMap((table) => [...table.files].reverse())
  const rank = ({ partition }: DataFile) => partition ?? '~'
  return files.sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) < rank(b) ? 1 : -1))
}

/** Ignores an unreadable file, which was reported already. */
function unlessUnread(error: unknown): void {
  if (!(error instanceof ServiceError) || error.code !== 'not_ready') throw error
}
