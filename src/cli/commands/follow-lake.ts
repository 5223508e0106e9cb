import { setTimeout } from 'node:timers/promises'
import { sentenceOf } from '../../errors.ts'
import { bringLive, follow } from '../../follow/follow.ts'
import { openLakeInBucket } from '../../follow/lake-in-bucket.ts'
import { readOriginMark } from '../../lake/origin-mark.ts'
import { openLogger } from '../../server/hooks/log.ts'
import { openRowWriter } from '../../services.ts'
import type { Settings } from '../../settings.ts'
import { lowerPriority } from '../lower-priority.ts'
import { logOf } from '../serving/reporter.ts'

const LONGEST_WAIT_MS = 60_000

/** Part of serve: brings commits and files of a lake in a bucket to its copy, again and again, until the pipe to the server closes. */
export async function followLakeAlone(settings: Settings): Promise<void> {
  const { lake, lake_copy_mb: mostMb, lake_poll_ms: pollMs } = settings
  const mark = readOriginMark(lake)
  const origin = mark && openLakeInBucket(lake, mark)?.origin
  if (origin === undefined) return
  lowerPriority()
  const logger = openLogger(logOf(settings))
  const stop = new AbortController()
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.once(event, () => stop.abort())
  const { signal } = stop
  const areFilesBrought = mostMb === 0
  const openWriter = (spillFolder: string) => openRowWriter(settings, spillFolder)
  let isWhole = !areFilesBrought
  let failures = 0
  while (!signal.aborted) {
    try {
      await follow({ lake, origin, areFilesBrought, openWriter, signal })
      // What commands have left to be brought later.
      if (!isWhole) await bringLive({ lake, origin }, signal)
      isWhole = true
      if (failures > 0) logger.info(`${origin.name} answers again.`)
      failures = 0
    } catch (error) {
      if (signal.aborted) break
      failures += 1
      if (failures === 1) logger.warn(sentenceOf(error))
    }
    const wait = Math.min(LONGEST_WAIT_MS, pollMs * 2 ** Math.min(failures, 10))
    await setTimeout(failures === 0 ? pollMs : wait, undefined, { signal }).catch(() => {})
  }
  origin.close()
  if (process.connected) process.disconnect()
}
