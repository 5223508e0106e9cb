import type { Command } from 'commander'
import { runCompact } from '../commands/compact.ts'
import { runVacuum } from '../commands/vacuum.ts'
import { listedMonths, wholeNumber } from './flag-values.ts'
import { type Flags, print, settingsFrom, withSettings } from './with-settings.ts'

/** Commands that change files and no answer. */
export function addMaintenanceCommands(program: Command): void {
  withSettings(
    program
      .command('compact')
      .description('Merge the files of each month before the newest; no row, id or answer changes.')
      .option(
        '--month <YYYY-MM>',
        'only these months, separated by commas; also the newest, if named',
        listedMonths,
      )
      .option('--json', 'print what was done as JSON'),
    ['lake', 'state', 'ingest_memory_mb', 'engine_threads'],
  ).action((flags: Flags) => {
    const months = flags.month as readonly string[] | undefined
    return runCompact(settingsFrom(flags), { months, json: flags.json === true }, print)
  })

  withSettings(
    program
      .command('vacuum')
      .description('Remove data files that no snapshot refers to, or only snapshots older than --keep-hours.')
      .option(
        '--keep-hours <H>',
        'keep the snapshots that were the newest at any time within so many hours',
        wholeNumber,
        168,
      )
      .option('--dry-run', 'print what would be removed and remove nothing')
      .option('--json', 'print what was removed as JSON'),
    ['lake'],
  ).action((flags: Flags) => {
    const keepHours = flags.keepHours as number
    const options = { keepHours, isDryRun: flags.dryRun === true, json: flags.json === true }
    return runVacuum(settingsFrom(flags), options, print)
  })
}
