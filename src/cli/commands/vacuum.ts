import type { Command } from 'commander'
import { refuseUnwritable } from '../../lake/disk/unwritable.ts'
import { openLake } from '../../lake/snapshot/lake.ts'
import { type VacuumedTable, vacuum } from '../../lake/vacuum/vacuum.ts'
import { remoteFilesOf } from '../../services/copies.ts'
import type { Settings } from '../../settings/settings.ts'
import { wholeNumber } from '../flags/flag-values.ts'
import { type Flags, print, settingsFrom, withSettings } from '../flags/with-settings.ts'
import { alignColumns, type Print } from '../terminal-text.ts'

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
  ).action((flags: Flags & VacuumFlags) => runVacuum(settingsFrom(flags), flags, print))
}

interface VacuumFlags {
  readonly keepHours: number
  readonly dryRun?: true
  readonly trustClock?: true
  readonly json?: true
}

/**
 * Removes files that no kept version needs, and prints the totals of each table. Errors: `not_ready`, those of
 * `vacuum`.
 */
async function runVacuum(
  settings: Settings,
  { keepHours, dryRun, trustClock, json }: VacuumFlags,
  print: Print,
): Promise<void> {
  const { lake } = settings
  const isDryRun = dryRun === true
  await openLake(lake)
  const request = {
    lake,
    elsewhere: remoteFilesOf(settings),
    keepHours,
    isDryRun,
    ...(trustClock && { trustsClock: true }),
  }
  const tables = await vacuum(request).catch((error) => refuseUnwritable(error, lake))
  if (json) print(JSON.stringify({ dryRun: isDryRun, keepHours, tables }, null, 2))
  else printTables(tables, isDryRun, print)
}

function printTables(tables: readonly VacuumedTable[], isDryRun: boolean, print: Print): void {
  const cells = tables.map(({ table, paths, bytes }) => [table, String(paths.length), String(bytes)])
  if (tables.length > 0) for (const line of alignColumns([['table', 'files', 'bytes'], ...cells])) print(line)
  if (isDryRun) for (const { table, paths } of tables) for (const path of paths) print(`${table}/${path}`)
  const files = tables.reduce((sum, { paths }) => sum + paths.length, 0)
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0)
  print(
    `${files} ${files === 1 ? 'file' : 'files'} of ${bytes} bytes ${isDryRun ? 'would be removed' : 'removed'}`,
  )
}
