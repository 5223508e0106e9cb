import type { Command } from 'commander'
import { restoreBackup } from '../../operate/backup/restore.ts'
import { keyFileOf } from '../../services/keys.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { localPath } from '../flags/flag-values.ts'
import { type Flags, settingsFrom, withSettings } from '../flags/with-settings.ts'
import { openAmountProgress } from '../progress.ts'
import { counted, print, printJson } from '../terminal-text.ts'
import { refuseIdleKeys } from './backup.ts'

export function addRestoreCommand(program: Command): void {
  withSettings(
    program
      .command('restore')
      .description('Copy a backup to an empty or missing folder, and verify every file.')
      .requiredOption('--from <DIR>', 'a backup, or a folder of backups: the newest', localPath)
      .option('--replace', 'put its tables in the place of those of a lake; these are moved aside')
      .option('--with-keys', 'restore API keys and what they have used too')
      .option('--json', 'print what was restored as JSON'),
    ['lake', 'keys'],
  ).action((flags: Flags & RestoreFlags) => runRestore(settingsFrom(flags), flags))
}

interface RestoreFlags {
  readonly from: string
  readonly replace?: boolean
  readonly withKeys?: true
  /** The key file, if the flag names it. */
  readonly keys?: string
  readonly json?: true
}

/** Restores a backup and prints a summary. Errors: those of `restoreBackup`. */
async function runRestore(settings: Settings, flags: RestoreFlags): Promise<void> {
  const { from, replace = false, withKeys } = flags
  refuseIdleKeys(flags)
  const { lake } = settings
  const keyFile = withKeys ? keyFileOf(settings) : undefined
  const progress = openAmountProgress(process.stderr, 'bytes')
  const request = { from, lake, replace, keyFile, onProgress: progress.update }
  const done = await restoreBackup(request).finally(progress.stop)
  if (flags.json) return printJson(done)
  print(`Restored ${done.name} to ${lake}, ${counted(done.tables.length, 'table')}, all files verified`)
  print(`snapshot ${done.snapshot}`)
  if (done.replaced !== undefined)
    print(`The tables that were there are in ${done.replaced}; delete it when they are not needed.`)
  if (done.hasKeys && !withKeys) print('The API keys of the backup were left out; --with-keys restores them.')
}
