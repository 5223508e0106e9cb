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
import { isInBucket } from '../../settings/bucket-settings.ts'
import type { Settings } from '../../settings/settings.ts'
import { givenSettings, settingsFrom } from '../flags/with-settings.ts'

/** Commands that read every byte of the lake, or name every file to who reads them later. */
function readsAll(command: Command): boolean {
  const isForDuckdb = command.name() === 'views' && command.opts().for === 'duckdb'
  return ['verify', 'backup'].includes(command.name()) || isForDuckdb
}
/** Commands that only name the lake. */
const readNothing = ['config', 'build-derived', 'build-beside', 'follow-lake']

/** Brings what a command needs of a lake in a bucket. Workers find what their parent has brought. */
export async function comeHere(command: Command): Promise<void> {
  const hasLake = command.options.some((option) => option.attributeName() === 'lake')
  if (!hasLake || cluster.isWorker || readNothing.includes(command.name())) return
  const flags = command.optsWithGlobals()
  const { lake } = givenSettings(flags)
  if (!isInBucket(lake)) return
  const extent = readsAll(command) ? 'all' : 'log'
  const late = await syncBucketCopy(settingsFrom(flags), lake, extent, command.name() === 'serve')
  if (late !== undefined) process.stderr.write(`${visible(late)}\n`)
}

/** How much of a lake in a bucket has to be in its copy. */
type Extent = 'log' | 'all'

const never = new AbortController().signal

/**
 * Makes the copy of a lake in a bucket, or brings what is new to it. `url` is the lake as it was given, and `settings` name its copy. Where the
 * bucket cannot be asked now, a copy that has something will do if it `mayBeLate`; the sentence says so then.
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
    if (extent === 'all') await bringLive({ lake, origin }, never)
    return undefined
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error
    if (!mayBeLate || isEmpty) return fail('source_unreadable', `${sentenceOf(error)}`, { cause: error })
    return `${sentenceOf(error)} The server uses the last copy until the bucket answers.`
  } finally {
    origin.close()
  }
}
