import cluster from 'node:cluster'
import type { Command } from 'commander'
import { fail, sentenceOf } from '../../base/errors.ts'
import { visible } from '../../base/visible.ts'
import { markOrigin } from '../../lake/disk/origin-mark.ts'
import { Lake } from '../../lake/snapshot/lake.ts'
import { bringLive, follow } from '../../operate/follow/follow.ts'
import { openLakeInBucket } from '../../operate/follow/lake-in-bucket.ts'
import { StoreFault } from '../../operate/object-store/object-store.ts'
import { openRowWriter } from '../../services/row-writer.ts'
import { isInBucket } from '../../services/settings/bucket-settings.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { givenSettings, settingsFrom } from '../flags/with-settings.ts'

/** Returns true for commands that read every byte of the lake, or that write down the paths of all files. */
function readsAll(command: Command): boolean {
  const isForDuckdb = command.name() === 'views' && command.opts().for === 'duckdb'
  return ['verify', 'backup'].includes(command.name()) || isForDuckdb
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
  const extent = readsAll(command) ? 'all' : 'log'
  const late = await syncBucketCopy(settingsFrom(flags), lake, extent, command.name() === 'serve')
  if (late !== undefined) process.stderr.write(`${visible(late)}\n`)
}

/** Parts of a lake in a bucket that its copy needs. */
type Extent = 'log' | 'all'

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
    if (extent === 'all') await bringLive({ lake, origin })
    return undefined
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error
    if (!mayBeLate || isEmpty) return fail('source_unreadable', `${sentenceOf(error)}`, { cause: error })
    return `${sentenceOf(error)} The server uses the last copy until the bucket answers.`
  } finally {
    origin.close()
  }
}
