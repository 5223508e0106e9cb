import cluster from 'node:cluster'
import type { Command } from 'commander'
import { isInBucket } from '../../settings/bucket-settings.ts'
import { visible } from '../../visible.ts'
import { bringLake } from '../lake-here.ts'
import { givenSettings, settingsFrom } from './with-settings.ts'

/** Commands that read every byte of the lake. */
const readAll = ['verify', 'backup']
/** Commands that only name the lake. */
const readNothing = ['config', 'build-derived', 'build-beside', 'follow-lake']

/** Brings what a command needs of a lake in a bucket. Workers find what their parent has brought. */
export async function comeHere(command: Command): Promise<void> {
  const hasLake = command.options.some((option) => option.attributeName() === 'lake')
  if (!hasLake || cluster.isWorker || readNothing.includes(command.name())) return
  const flags = command.optsWithGlobals()
  const { lake } = givenSettings(flags)
  if (!isInBucket(lake)) return
  const extent = readAll.includes(command.name()) ? 'all' : 'log'
  const late = await bringLake(settingsFrom(flags), lake, extent, command.name() === 'serve')
  if (late !== undefined) process.stderr.write(`${visible(late)}\n`)
}
