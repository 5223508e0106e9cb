import { setImmediate } from 'node:timers/promises'
import { again } from '../../base/background.ts'
import { ServiceError } from '../../base/errors.ts'
import type { DataFile } from '../facts/data-file.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import type { CheckedFiles } from './checked-files.ts'
import type { DigestedFile } from './verdict.ts'

export interface ScrubOptions {
  readonly bytesPerSecond: number
  /** After so long a file is looked at again, although it seems to be the same; 0: never. */
  readonly periodMs: number
  /** Whether this process is the one that does it. */
  readonly isMine?: (() => Promise<boolean>) | undefined
  /** Whether a file is looked at; what nobody needs of a copy may not be here. */
  readonly isHere?: (path: string) => boolean
  readonly lookAgainMs?: number
}

const LOOK_AGAIN_MS = 5000
const DAMAGED_AGAIN_MS = 60_000
const LOOKED_AT_ONCE = 100

/**
 * Looks in the background at files that nobody has looked at since the start or since they changed, the newest first, and at
 * all of them again after a period.
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
    if (checked.known(file) === undefined) return true
    const { verdict, age = 0 } = checked.latest(file.path) ?? {}
    const period = verdict?.fault === undefined ? periodMs : DAMAGED_AGAIN_MS
    return period > 0 && age >= period
  }

  async function pass(): Promise<void> {
    const at = current()
    if (at === undefined) return
    for (const [place, file] of newestFirst(at).entries()) {
      if (place % LOOKED_AT_ONCE === LOOKED_AT_ONCE - 1) await setImmediate()
      if (!isDue(file) || !isHere(file.path)) continue
      if (isClosed || !(await isMine())) return
      await checked.check(file, bytesPerSecond).catch(unlessUnread)
    }
  }

  const passes = again(lookAgainMs, 'comparing files with their digests', () => pass().catch(onError), 0)
  return {
    /** What is being read is not waited for. */
    close() {
      isClosed = true
      passes.stop()
    },
  }
}

/** The files of all tables: those without a partition, which most answers need, then by month. */
function newestFirst({ tables }: Snapshot): readonly DataFile[] {
  const files = tables.flatMap((table) => [...table.files].reverse())
  const rank = ({ partition }: DataFile) => partition ?? '~'
  return files.sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) < rank(b) ? 1 : -1))
}

/** It was told, and the others are looked at meanwhile. */
function unlessUnread(error: unknown): void {
  if (!(error instanceof ServiceError) || error.code !== 'not_ready') throw error
}
