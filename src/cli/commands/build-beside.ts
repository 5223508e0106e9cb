import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from 'commander'
import { buildMissing } from '../../index/maintenance/build-missing.ts'
import { Lake } from '../../lake/snapshot/lake.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { buildDerived, openDerived } from '../../services/derived.ts'
import type { Settings } from '../../settings/settings.ts'
import { besideSettings } from '../building/builder-beside.ts'
import { type Flags, settingsFrom, withSettings } from '../flags/with-settings.ts'
import { lowerPriority } from '../lower-priority.ts'

export function addBuildBesideCommand(program: Command): void {
  withSettings(
    program.command('build-beside', { hidden: true }).description('Part of ingest.'),
    besideSettings,
  ).action((flags: Flags) => buildBeside(settingsFrom(flags)))
}

const LOOK_MS = 500
/**
 * Builds indexes in file order during an ingest. After a message of the parent it builds all indexes but the one by
 * hotspot, reports each step, and exits. It aborts if the parent disappears.
 */
async function buildBeside(settings: Settings): Promise<void> {
  lowerPriority()
  const stop = new AbortController()
  const { signal } = stop
  process.on('disconnect', () => stop.abort())
  let isComing = true
  const end = Promise.race([once(process, 'message'), once(signal, 'abort')]).finally(() => {
    isComing = false
  })
  const lake = new Lake(settings.lake)
  const lists = openDerived(settings, ['fileOrder'])
  for (let seen: Snapshot | undefined; isComing; ) {
    const at = await lake.latest()
    // The build after the last commit tries again and reports the failure.
    if (at !== seen && !(await buildMissing(lists, lake, () => {}, signal))) await end
    seen = at
    await Promise.race([end, wait(LOOK_MS)])
  }
  await buildDerived(settings, (sentence) => process.send?.(sentence), ['rows'], signal)
  if (process.connected) process.disconnect()
}
