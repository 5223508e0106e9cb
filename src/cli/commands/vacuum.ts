import type { Command } from 'commander'
import { refuseUnwritable } from '../../lake/disk/unwritable.ts'
import { openLake } from '../../lake/snapshot/lake.ts'
import { type VacuumedTable, vacuum } from '../../lake/vacuum/vacuum.ts'
import { remoteFilesOf } from '../../services/copies.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { wholeNumber } from '../flags/flag-values.ts'
import { type Flags, settingsFrom, withSettings } from '../flags/with-settings.ts'
import { alignColumns, counted, print, printJson, printLines } from '../terminal-text.ts'

export function addVacuumCommand(program: Command): void {
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
  ).action((flags: Flags & VacuumFlags) => runVacuum(settingsFrom(flags), flags))
}

interface VacuumFlags {
  readonly keepHours: number
  readonly dryRun?: boolean
  readonly trustClock?: boolean
  readonly json?: true
}

/**
 * Removes files that no kept version needs, and prints the totals of each table. Errors: `not_ready`, those of
 * `vacuum`.
 */
async function runVacuum(settings: Settings, flags: VacuumFlags): Promise<void> {
  const { lake } = settings
  const { keepHours, dryRun: isDryRun = false, trustClock: trustsClock = false } = flags
  await openLake(lake)
  const request = { lake, elsewhere: remoteFilesOf(settings), keepHours, isDryRun, trustsClock }
  const tables = await vacuum(request).catch((error) => refuseUnwritable(error, lake))
  if (flags.json) printJson({ dryRun: isDryRun, keepHours, tables })
  else printTables(tables, isDryRun)
}

function printTables(tables: readonly VacuumedTable[], isDryRun: boolean): void {
  const cells = tables.map(({ table, paths, bytes }) => [table, String(paths.length), String(bytes)])
  if (tables.length > 0) printLines(alignColumns([['table', 'files', 'bytes'], ...cells]))
  if (isDryRun) for (const { table, paths } of tables) for (const path of paths) print(`${table}/${path}`)
  const files = tables.reduce((sum, { paths }) => sum + paths.length, 0)
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0)
  print(`${counted(files, 'file')} of ${bytes} bytes ${isDryRun ? 'would be removed' : 'removed'}`)
}
