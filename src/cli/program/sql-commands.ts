import { type Command, Option } from 'commander'
import { resultFormats, runSql, type SqlFlags } from '../commands/sql/sql.ts'
import { type ViewsFlags, viewsEngines, writeViews } from '../commands/sql/views.ts'
import { localPath, notEmpty, schemaName } from '../flags/flag-values.ts'
import { type Flags, print, settingsFrom, withSettings } from '../flags/with-settings.ts'

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
        'Write the views of `sql`: a small DuckDB file, which any DuckDB opens, or SQL for an engine that reads the tables by itself; an older one is replaced.',
      )
      .addOption(new Option('--for <ENGINE>', 'who reads').choices(viewsEngines).default(viewsEngines[0]))
      .option(
        '--out <FILE>',
        'file to write, such as lake.duckdb; SQL goes to standard output without it',
        localPath,
      )
      .option('--force', 'replace any file, not only one that this command wrote', false)
      .option(
        '--location <PLACE>',
        'for spark and clickhouse: folder or address of the lake as they read it (default: the folder here)',
        notEmpty,
      )
      .option(
        '--views-schema <NAME>',
        'for trino, spark and clickhouse: schema or database of the views (default: ledgerlake)',
        schemaName,
      ),
    ['lake', 'trino_catalog', 'trino_schema'],
  ).action((flags: Flags & ViewsFlags) => writeViews(settingsFrom(flags), flags, print))
}
