import { type Command, Option } from 'commander'
import { everyTime, wholeNumber } from './flag-values.ts'

/** Adds the flags of a command that can be repeated, by itself or next to a server. */
export function withRepeating(command: Command): Command {
  return command
    .option('--every <time>', 'go on: again after this time, such as 15m or 2h', everyTime)
    .option(
      '--keep-hours <h>',
      'with --every: snapshots of so many hours are kept when old files are removed once a day',
      wholeNumber,
      168,
    )
    .addOption(new Option('--beside-server', 'part of serve').hideHelp())
}
