import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { fail } from '../../base/errors.ts'
import { type BackupSummary, takeBackup } from '../../operate/backup/backup.ts'
import { keepIn } from '../../services/copies.ts'
import { keyFileOf } from '../../services/keys.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { localPath, positiveNumber } from '../flags/flag-values.ts'
import { type Flags, settingsFrom, withSettings } from '../flags/with-settings.ts'
import { lowerPriority } from '../lower-priority.ts'
import { openAmountProgress } from '../progress.ts'
import { counted, print, printJson } from '../terminal-text.ts'

export function addBackupCommand(program: Command): void {
  withSettings(
    program
      .command('backup')
      .description(
        'Copy one snapshot into a folder of backups, each a complete lake; ingest, compact, vacuum and serve can run at the same time.',
      )
      .requiredOption('--to <DIR>', 'folder of backups; it is made if it is missing', localPath)
      .option(
        '--link',
        'link data files instead of copying them: at once, and protects from deletion alone, not from damage',
      )
      .option('--with-keys', 'copy API keys and what they have used too')
      .option('--verify', 'read the files of older backups again, and copy those that are damaged')
      .option('--keep <N>', 'then remove all but the newest N backups (default: keep all)', positiveNumber)
      .option('--json', 'print what was copied as JSON'),
    ['lake', 'keys'],
  ).action((flags: Flags & BackupFlags) => runBackup(settingsFrom(flags), flags))
}

export interface BackupFlags {
  readonly to: string
  readonly link?: boolean
  readonly withKeys?: true
  /** The key file, if the flag names it. */
  readonly keys?: string
  readonly verify?: boolean
  readonly keep?: number
  readonly json?: true
}

/** Takes a backup and prints a summary. Errors: those of `takeBackup`. */
async function runBackup(settings: Settings, flags: BackupFlags): Promise<void> {
  const { to, withKeys, link = false, verify = false, keep } = flags
  refuseIdleKeys(flags)
  lowerPriority()
  const keyFile = withKeys ? keyFileOf(settings) : undefined
  const progress = openAmountProgress(process.stderr, 'bytes')
  const { records: kept } = keepIn(settings)
  const request = { lake: settings.lake, to, keyFile, kept, link, verify, keep, onProgress: progress.update }
  const done = await takeBackup(request).finally(progress.stop)
  if (flags.json) printJson(done)
  else printBackup(done, settings)
}

/** Errors: `malformed_request` for a key file that would not be copied. */
export function refuseIdleKeys({ keys, withKeys }: Pick<BackupFlags, 'keys' | 'withKeys'>): void {
  if (keys !== undefined && !withKeys)
    fail('malformed_request', '--keys has no effect without --with-keys; add it, or leave --keys out')
}

const filesOf = ({ files, bytes }: { readonly files: number; readonly bytes: number }) =>
  `${counted(files, 'file')} of ${bytes} bytes`

function printBackup(done: BackupSummary, settings: Settings): void {
  const { copied, linked, kept } = done.files
  print(`Backup ${done.folder} of ${settings.lake}`)
  print(`snapshot ${done.snapshot}`)
  print(
    linked.files === 0
      ? `copied and verified: ${filesOf(copied)}; from older backups: ${filesOf(kept)}`
      : `linked: ${filesOf(linked)}; from older backups: ${filesOf(kept)}`,
  )
  if (done.restarts > 0)
    print('A vacuum removed files of the snapshot, so the backup continued with a newer one.')
  if (linked.files > 0)
    print('Linked files protect from deletion alone: damage, or the loss of the disk, takes both.')
  if (!done.hasKeys && existsSync(keyFileOf(settings)))
    print('API keys were left out; --with-keys copies them.')
  for (const path of done.damaged) print(`damaged in an older backup, copied anew: ${path}`)
  for (const name of done.removed) print(`removed the older backup ${name}`)
}
