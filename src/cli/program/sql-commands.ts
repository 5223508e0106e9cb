import { type Command, Option } from 'commander'
import { resultFormats, runSql, type SqlFlags } from '../commands/sql.ts'
import { writeViews } from '../commands/views.ts'
import { notEmpty } from './flag-values.ts'
import { type Flags, print, settingsFrom, withSettings } from './with-settings.ts'

/** Commands for SQL. */
export function addSqlCommands(program: Command): void {
  withSettings(
    program
      .command('sql')
      .description(
        'Run one SELECT over the tables, and over iot_rewards and mobile_rewards, which join them; without a statement, read statements from a prompt or a pipe.',
      )
      .argument('[statement]', 'such as: select token, sum(usd) from iot_rewards group by token')
      .addOption(
        new Option('--format <FORMAT>', 'of the result').choices(resultFormats).default(resultFormats[0]),
      )
      .option('--as-of <SNAPSHOT>', 'id of an older snapshot, or an instant (default: the newest)', notEmpty),
    ['lake', 'state', 'engine_memory_mb', 'engine_threads'],
  ).action(async (statement: string | undefined, flags: Flags & SqlFlags) => {
    process.exitCode = await runSql(settingsFrom(flags), statement, flags)
  })

  withSettings(
    program
      .command('views')
      .description(
        'Write a small DuckDB file with the views of `sql`, which any DuckDB opens; an older one is replaced.',
      )
      .requiredOption('--out <FILE>', 'file to write, such as lake.duckdb', notEmpty),
    ['lake'],
  ).action((flags: Flags & { readonly out: string }) => writeViews(settingsFrom(flags), flags.out, print))
}
