import { setTimeout } from 'node:timers/promises'
import type { Command } from 'commander'
import { sentenceOf } from '../../../base/errors.ts'
import { openLogger } from '../../../doors/hooks/log.ts'
import { readOriginMark } from '../../../lake/disk/origin-mark.ts'
import { bringLive, follow } from '../../../operate/follow/follow.ts'
import { openLakeInBucket } from '../../../operate/follow/lake-in-bucket.ts'
import { changeSyncState, sourceFolder } from '../../../operate/sync/sync-state.ts'
import { stateFolderOf } from '../../../services/folders.ts'
import { openRowWriter } from '../../../services/row-writer.ts'
import type { Settings } from '../../../services/settings/settings.ts'
import { type Flags, settingsFrom, withSettings } from '../../flags/with-settings.ts'
import { lowerPriority } from '../../lower-priority.ts'
import { logOf } from '../../serving/reporter.ts'
import { followSettings } from '../../serving/sync-keeper.ts'
import { stopSignal } from '../../stop-signal.ts'

export function addFollowLakeCommand(program: Command): void {
  withSettings(
    program.command('follow-lake', { hidden: true }).description('Part of serve.'),
    followSettings,
  ).action((flags: Flags) => followLakeAlone(settingsFrom(flags)))
}

const LONGEST_WAIT_MS = 60_000
/** Interval at which status and metrics are updated. */
const NOTE_EVERY_MS = 30_000

/** Part of serve: copies commits and files of a lake in a bucket repeatedly, until the pipe to the server closes. */
async function followLakeAlone(settings: Settings): Promise<void> {
  const { lake, lake_copy_mb: mostMb, lake_poll_ms: pollMs } = settings
  const mark = readOriginMark(lake)
  const origin = mark && openLakeInBucket(lake, mark)?.origin
  if (origin === undefined) return
  lowerPriority()
  const logger = openLogger(logOf(settings))
  const signal = stopSignal('disconnect')
  const areFilesBrought = mostMb === 0
  const openWriter = (spillFolder: string) => openRowWriter(settings, spillFolder)
  const source = { folder: sourceFolder(stateFolderOf(settings), origin.name), address: origin.name }
  let isWhole = !areFilesBrought
  let [failures, notedAt] = [0, Number.NEGATIVE_INFINITY]

  async function succeeded(): Promise<void> {
    if (failures > 0) logger.info(`${origin?.name} answers again.`)
    if (failures > 0 || performance.now() - notedAt >= NOTE_EVERY_MS) {
      await changeSyncState(source, { doneAt: Date.now(), problem: null })
      notedAt = performance.now()
    }
    failures = 0
  }

  async function failed(problem: string): Promise<void> {
    failures += 1
    if (failures > 1) return
    logger.warn(problem)
    await changeSyncState(source, { problem }).catch(() => {})
  }

  while (!signal.aborted) {
    try {
      await follow({ lake, origin, areFilesBrought, openWriter, signal })
      // Download the files that earlier commands left out.
      if (!isWhole) await bringLive({ lake, origin, signal })
      isWhole = true
      await succeeded()
    } catch (error) {
      if (signal.aborted) break
      await failed(sentenceOf(error))
    }
    const wait = failures === 0 ? pollMs : Math.min(LONGEST_WAIT_MS, pollMs * 2 ** failures)
    await setTimeout(wait, undefined, { signal }).catch(() => {})
  }
  origin.close()
  if (process.connected) process.disconnect()
}
