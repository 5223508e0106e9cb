import cluster from 'node:cluster'
import type { Command } from 'commander'
import { fail, sentenceOf } from '../../base/errors.ts'
import { visible } from '../../base/visible.ts'
import { markOrigin } from '../../lake/disk/origin-mark.ts'
import { Lake } from '../../lake/snapshot/lake.ts'
import { readKept } from '../../lake/vacuum/kept-snapshots.ts'
import { filesInBucket } from '../../operate/follow/files-in-bucket.ts'
import { bringLive, follow } from '../../operate/follow/follow.ts'
import { openLakeInBucket } from '../../operate/follow/lake-in-bucket.ts'
import { StoreFault } from '../../operate/object-store/object-store.ts'
import { openRowWriter } from '../../services/row-writer.ts'
import { isInBucket } from '../../services/settings/bucket-settings.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { givenSettings, settingsFrom } from '../flags/with-settings.ts'

/** Returns the parts that a command needs: some read every byte, or write down the paths of all files. */
function extentOf(command: Command): Extent {
  if (command.name() === 'backup') return 'kept'
  const isForDuckdb = command.name() === 'views' && command.opts().for === 'duckdb'
  return command.name() === 'verify' || isForDuckdb ? 'all' : 'log'
}

/** Commands for which the copy is not updated first. */
const readNothing = ['config', 'build-derived', 'follow-lake']

/** Downloads the parts of a lake in a bucket that a command needs. Workers use the files of their parent. */
export async function prepareBucketCopy(command: Command): Promise<void> {
  const hasLake = command.options.some((option) => option.attributeName() === 'lake')
  if (!hasLake || cluster.isWorker || readNothing.includes(command.name())) return
  const flags = command.optsWithGlobals()
  const { lake } = givenSettings(flags)
  if (!isInBucket(lake)) return
  const late = await syncBucketCopy(settingsFrom(flags), lake, extentOf(command), command.name() === 'serve')
  if (late !== undefined) process.stderr.write(`${visible(late)}\n`)
}

/** Parts of a lake in a bucket that its copy needs: the log, all files of the newest snapshot, or of kept ones too. */
type Extent = 'log' | 'all' | 'kept'

const never = new AbortController().signal

/**
 * Creates or updates the copy of a lake in a bucket. `url` is the lake as given; `settings` name the copy. If the
 * bucket does not answer and `mayBeLate` is true, accepts a copy with data and returns a sentence about it.
 * Errors: `malformed_request`, `source_unreadable`, `lake_damaged`.
 */
async function syncBucketCopy(
  settings: Settings,
  url: string,
  extent: Extent,
  mayBeLate: boolean,
): Promise<string | undefined> {
  const { lake, lake_endpoint: endpoint } = settings
  const mark = { url, endpoint }
  const remoteLake = openLakeInBucket(lake, mark)
  if (remoteLake === undefined) throw new Error(`${url} is in no bucket`)
  const isEmpty = (await new Lake(lake).latest()).isEmpty
  await markOrigin(lake, mark, isEmpty)
  const { origin } = remoteLake
  const openWriter = (spillFolder: string) => openRowWriter(settings, spillFolder)
  try {
    await follow({ lake, origin, areFilesBrought: false, openWriter, signal: never })
    if (extent === 'log') return undefined
    const kept = extent === 'kept' ? await readKept(lake, filesInBucket(remoteLake.bucketLake).kept) : []
    await bringLive(
      { lake, origin },
      kept.map(({ snapshot }) => snapshot),
    )
    return undefined
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error
    if (!mayBeLate || isEmpty) return fail('source_unreadable', `${sentenceOf(error)}`, { cause: error })
    return `${sentenceOf(error)} The server uses the last copy until the bucket answers.`
  } finally {
    origin.close()
  }
}
