import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '../../base/errors.ts'
import { isMissing } from '../../lake/disk/disk.ts'
import { isMembers } from '../../lake/log/log-actions.ts'
import { namesIn, refuseUnseen, visibleNames } from './folder-checks.ts'
import type { TableContent } from './table-content.ts'

/** A folder of backups. Each backup is a complete lake, numbered in the order of creation. */

/** Content of the note in a backup. */
export interface BackupNote {
  readonly backup: 1
  readonly name: string
  readonly takenAt: string
  readonly program: string
  readonly snapshot: string
  readonly tables: readonly TableNote[]
  readonly hasKeys: boolean
}

type TableNote = Pick<TableContent, 'name' | 'id' | 'version' | 'digest' | 'log'> & {
  /** Number and bytes of the data files. */
  readonly files: number
  readonly bytes: number
}

const NAME = /^(\d{4,9})-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/
export const UNFINISHED = '_unfinished'
const REMOVED = '_removed'

export const notePath = (backup: string) => join(backup, '_backup.json')

/** Names of complete backups, oldest first. Errors: `malformed_request` if the folder has other files. */
export async function listBackups(folder: string): Promise<readonly string[]> {
  const names = await namesIn(folder)
  const foreignName = [...visibleNames(names)].sort().find((name) => !NAME.test(name))
  if (foreignName !== undefined)
    fail(
      'malformed_request',
      `${folder} has other things, such as ${foreignName}; use an empty folder or one of backups.`,
    )
  return names.filter((name) => NAME.test(name)).sort((a, b) => numberOf(a) - numberOf(b))
}

const numberOf = (name: string) => Number(NAME.exec(name)?.[1] ?? 0)

/** Returns the name of the next backup. */
export function nextName(names: readonly string[], now: Date): string {
  const number = numberOf(names.at(-1) ?? '') + 1
  return `${String(number).padStart(4, '0')}-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
}

/** Reads the note of a backup; undefined for other folders. Errors: `lake_damaged`, `lake_unwritable`. */
export async function readNote(backup: string): Promise<BackupNote | undefined> {
  const path = notePath(backup)
  const text = await readFile(path, 'utf8').catch((error) =>
    isMissing(error) ? undefined : refuseUnseen(path, error),
  )
  if (text === undefined) return undefined
  try {
    const note: unknown = JSON.parse(text)
    if (isNote(note)) return note
  } catch {}
  return fail('lake_damaged', `${path} is damaged, or of a newer ledgerlake; use another backup.`)
}

/** Checks the format of a note; its members are as this program wrote them. */
const isNote = (note: unknown): note is BackupNote =>
  isMembers(note) && note.backup === 1 && Array.isArray(note.tables)

/** Removes all but the newest backups, and the rest of an interrupted removal. Returns the removed names. */
export async function removeOlder(folder: string, keep: number): Promise<readonly string[]> {
  const older = (await listBackups(folder)).slice(0, -keep)
  await rm(join(folder, REMOVED), { recursive: true, force: true })
  for (const name of older) {
    await rename(join(folder, name), join(folder, REMOVED))
    await rm(join(folder, REMOVED), { recursive: true })
  }
  return older
}
