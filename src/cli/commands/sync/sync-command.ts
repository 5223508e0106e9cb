import { type Command, Option } from 'commander'
import { writerSettings } from '../../../services/row-writer.ts'
import type { SettingName, Settings } from '../../../services/settings/settings.ts'
import { everyTime, wholeNumber } from '../../flags/flag-values.ts'
import { type Flags, settingsFrom, withSettings } from '../../flags/with-settings.ts'

/** Adds the flags and settings of every sync. */
export function withSyncFlags(command: Command, more: readonly SettingName[] = []): Command {
  command
    .option('--json', 'print the summary as JSON')
    .option('--every <time>', 'go on: again after this time, such as 15m or 2h', everyTime)
    .option(
      '--keep-hours <h>',
      'with --every: snapshots of so many hours are kept when old files are removed once a day',
      wholeNumber,
      168,
    )
    .addOption(new Option('--beside-server', 'part of serve').hideHelp())
  return withSettings(command, ['lake', 'state', ...writerSettings, 'ingest_commit_rows', ...more])
}

/** Completes a subcommand of `sync` that reads a service. `run` returns the exit code. */
export function addServiceAction<F>(
  sync: Command,
  command: Command,
  run: (settings: Settings, flags: F) => Promise<number>,
): void {
  withSyncFlags(command, ['engine_memory_mb']).action(async (own) => {
    const flags = { ...own, ...flagsTakenBy(sync, command) }
    process.exitCode = await run(settingsFrom(flags), flags)
  })
}

/**
 * Returns flags that commander gave to the parent command because both have them. Throws for flags that only the parent
 * has.
 */
function flagsTakenBy(parent: Command, command: Command): Flags {
  const given = parent.options.filter(
    (option) => parent.getOptionValueSource(option.attributeName()) === 'cli',
  )
  const other = given.find(({ long }) => command.options.every((option) => option.long !== long))
  if (other !== undefined)
    command.error(`error: unknown option '${other.long}'`, { code: 'commander.unknownOption' })
  return Object.fromEntries(
    given.map((option) => [option.attributeName(), parent.getOptionValue(option.attributeName())]),
  )
}
