import cluster from 'node:cluster'
import type { Command } from 'commander'
import { visible } from '../../base/visible.ts'
import { isInBucket } from '../../settings/bucket-settings.ts'
import { givenSettings, settingsFrom } from '../flags/with-settings.ts'
import { syncBucketCopy } from '../lake-here.ts'

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
