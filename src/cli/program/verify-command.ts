import type { Command } from 'commander'
import { writerSettings } from '../../services/row-writer.ts'
import { runVerify, type VerifyFlags } from '../commands/verify.ts'
import { localPath } from '../flags/flag-values.ts'
import { type Flags, print, settingsFrom, withSettings } from '../flags/with-settings.ts'

export function addVerifyCommand(program: Command): void {
  withSettings(
    program
      .command('verify')
      .description(
        'Read every byte of the lake, its state folder and its keys, and compare them with their checksums and with each other; without --repair nothing is written.',
      )
      .argument('[path...]', 'with --repair: source files and folders, to decode damaged data files again')
      .option(
        '--repair',
        'repair what can be, then verify again; what is derived, and checkpoints, are made anew',
      )
      .option(
        '--from <DIR>',
        'with --repair: copy damaged files from a backup, a folder of backups or another copy of the lake',
        localPath,
      )
      .option('--json', 'print the findings as JSON'),
    ['lake', 'state', 'keys', 'engine_memory_mb', ...writerSettings],
  ).action(async (paths: string[], flags: Flags & VerifyFlags) => {
    process.exitCode = await runVerify(settingsFrom(flags), paths, flags, print)
  })
}
