import type { Command } from 'commander'
import { writerSettings } from '../../services/row-writer.ts'
import { type CompactFlags, runCompact } from '../commands/compact.ts'
import { runVacuum, type VacuumFlags } from '../commands/vacuum.ts'
import { listedMonths, wholeNumber } from '../flags/flag-values.ts'
import { type Flags, print, settingsFrom, withSettings } from '../flags/with-settings.ts'

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
    ['lake', 'state', ...writerSettings],
  ).action((flags: Flags & CompactFlags) => runCompact(settingsFrom(flags), flags, print))

  withSettings(
    program
      .command('vacuum')
      .description('Remove data files that no snapshot refers to, or only snapshots older than --keep-hours.')
      .option(
        '--keep-hours <H>',
        'keep snapshots that were the newest at any time in the last H hours',
        wholeNumber,
        168,
      )
      .option('--dry-run', 'print what would be removed and remove nothing')
      .option('--trust-clock', 'go by the clock although it has jumped since the newest commit')
      .option('--json', 'print what was removed as JSON'),
    ['lake'],
  ).action((flags: Flags & VacuumFlags) => runVacuum(settingsFrom(flags), flags, print))
}
