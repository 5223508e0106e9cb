import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from 'commander'
import { openLogger } from '../../doors/hooks/log.ts'
import { buildMissing } from '../../index/maintenance/build-missing.ts'
import { Lake } from '../../lake/snapshot/lake.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { buildDerived, openDerived } from '../../services/derived.ts'
import { openServices } from '../../services/services.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { type BuilderMessage, builderSettings } from '../building/builder-process.ts'
import { type Flags, settingsFrom, withSettings } from '../flags/with-settings.ts'
import { lowerPriority } from '../lower-priority.ts'
import { logOf } from '../serving/reporter.ts'

export function addBuildDerivedCommand(program: Command): void {
  withSettings(
    program.command('build-derived', { hidden: true }).description('Part of serve and ingest.'),
    builderSettings,
  )
    .option('--during-ingest', 'Build row indexes until the parent has committed all files.')
    .action((flags: Flags) => build(settingsFrom(flags), flags.duringIngest === true))
}

/** Builds the indexes that the newest snapshot lacks, until the parent closes the pipe. */
async function build(settings: Settings, isDuringIngest: boolean): Promise<void> {
  lowerPriority()
  const stop = new AbortController()
  process.on('disconnect', () => stop.abort())
  for (const event of ['SIGTERM', 'SIGINT', 'SIGHUP'])
    process.on(event, () => {
      process.exitCode = 1
      stop.abort()
    })
  await (isDuringIngest ? buildDuringIngest(settings, stop.signal) : buildAll(settings, stop.signal))
  if (process.connected) process.disconnect()
}

/** Builds all indexes. Logs errors: without an index, responses are only slower. */
async function buildAll(settings: Settings, signal: AbortSignal): Promise<void> {
  const logger = openLogger(logOf(settings))
  const onFailure = (sentence: string) => logger.error(sentence)
  const { derived, lake, close } = await openServices(settings)
  await buildMissing(derived, lake, { onFailure, signal }).finally(close)
}

const LOOK_MS = 500

/**
 * Builds indexes in file order while files are committed. After a message of the parent it builds all row indexes, and
 * sends each step and failure to the parent.
 */
async function buildDuringIngest(settings: Settings, signal: AbortSignal): Promise<void> {
  let isComing = true
  const end = Promise.race([once(process, 'message'), once(signal, 'abort')]).finally(() => {
    isComing = false
  })
  const lake = new Lake(settings.lake)
  const lists = openDerived(settings, 'fileOrder')
  for (let seen: Snapshot | undefined; isComing; ) {
    const at = await lake.latest()
    // The build after the last commit tries again and reports the failure.
    if (at !== seen && !(await buildMissing(lists, lake, { onFailure: () => {}, signal }))) await end
    seen = at
    await Promise.race([end, wait(LOOK_MS)])
  }
  const send = (message: BuilderMessage) => process.send?.(message)
  const onProgress = (step: string) => send({ step })
  await buildDerived(settings, { onProgress, onFailure: (failure) => send({ failure }), signal }, 'rows')
}
