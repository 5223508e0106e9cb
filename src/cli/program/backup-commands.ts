import type { Command } from 'commander'
import { type BackupFlags, runBackup } from '../commands/backup.ts'
import { type RestoreFlags, runRestore } from '../commands/restore.ts'
import { localPath, positiveNumber } from '../flags/flag-values.ts'
import { type Flags, print, settingsFrom, withSettings } from '../flags/with-settings.ts'

/** Commands that copy a lake and bring it back. */
export function addBackupCommands(program: Command): void {
  withSettings(
    program
      .command('backup')
      .description(
        'Copy one snapshot into a folder of backups, each a lake of its own; ingest, compact, vacuum and serve go on meanwhile.',
      )
      .requiredOption('--to <DIR>', 'folder of backups; it is made if it is missing', localPath)
      .option(
        '--link',
        'link data files instead of copying them: at once, and protects from deletion alone, not from damage',
      )
      .option('--with-keys', 'copy API keys and what they have used too')
      .option('--verify', 'read again what older backups have, and copy what is damaged there')
      .option('--keep <N>', 'then remove all but the newest N backups (default: keep all)', positiveNumber)
      .option('--json', 'print what was copied as JSON'),
    ['lake', 'keys'],
  ).action((flags: Flags & BackupFlags) => runBackup(settingsFrom(flags), flags, print))

  withSettings(
    program
      .command('restore')
      .description('Copy a backup to an empty or missing folder, and verify every file.')
      .requiredOption('--from <DIR>', 'a backup, or a folder of backups: the newest', localPath)
      .option('--replace', 'put its tables in the place of those of a lake; these are moved aside')
      .option('--with-keys', 'restore API keys and what they have used too')
      .option('--json', 'print what was restored as JSON'),
    ['lake', 'keys'],
  ).action((flags: Flags & RestoreFlags) => runRestore(settingsFrom(flags), flags, print))
}
