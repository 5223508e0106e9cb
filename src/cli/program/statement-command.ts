import type { Command } from 'commander'
import { statementParameters } from '../../doors/contract/statement-query.ts'
import { runStatement } from '../commands/statement.ts'
import { daysOfFlags, flagName, monthFlag } from '../flags/day-flags.ts'
import { localPath } from '../flags/flag-values.ts'
import { type Flags, print, readingSettings, settingsFrom, withSettings } from '../flags/with-settings.ts'

export function addStatementCommand(program: Command): void {
  const { owner, year, from, to, first_day, last_day, tz, as_of: asOf } = statementParameters
  const command = program
    .command('statement')
    .description(
      'Write what an owner or hotspots were paid: a CSV for each token, and a summary that ties out with totals.',
    )
    .requiredOption('--out <DIR>', 'folder to write; it gets its name when it is complete', localPath)
    .option('--owner <ADDRESS>', owner)
    .option(
      '--keys-file <FILE>',
      'lines of key[,from[,to]], or with a name instead of the key: hotspots instead of an owner, or beside it those that changed hands',
      localPath,
    )
    .option('--year <YEAR>', year)
    .addOption(monthFlag())
    .option('--first-day <DAY>', first_day)
    .option('--last-day <DAY>', last_day)
    .option('--from <DAY>', from)
    .option('--to <DAY>', to)
    .option('--tz <ZONE>', tz)
    .option('--as-of <SNAPSHOT>', asOf)
  withSettings(command, readingSettings).action(
    (flags: Flags & { readonly out: string; readonly keysFile?: string }) =>
      runStatement(settingsFrom(flags), queryOf(flags), flags.keysFile, flags.out, print),
  )
}

/** The query that REST would be asked. */
function queryOf({ month, ...flags }: Flags): Readonly<Record<string, string>> {
  const given = Object.keys(statementParameters).flatMap((name) => {
    const value = flags[flagName(name)]
    return value === undefined ? [] : [[name, String(value)]]
  })
  return { ...Object.fromEntries(given), ...daysOfFlags({ month }) }
}
