import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fail } from '../../errors.ts'
import { isMissing } from '../../lake/disk.ts'
import { openLake } from '../../lake/lake.ts'
import { refuseUnwritableFolder } from '../../lake/unwritable.ts'
import type { Settings } from '../../settings.ts'
import { isViewsFile, writeLakeViews } from '../../sql/views-file.ts'

/**
 * Writes a DuckDB file with views of the newest snapshot, in the place of one that was written before.
 * Errors: `not_ready`, `lake_damaged`; `lake_unwritable`; `malformed_request` when another file is in its place.
 */
export async function writeViews(
  settings: Settings,
  out: string,
  print: (line: string) => void,
): Promise<void> {
  await openLake(settings.lake)
  // The paths in the file hold wherever it is opened, and wherever it is moved.
  const lake = await openLake(await realpath(settings.lake))
  const at = await lake.latest()
  const path = resolve(out)
  await refuseOtherFile(path)
  const beside = join(dirname(path), `.${basename(path)}-${randomUUID()}`)
  try {
    await access(dirname(path), constants.W_OK)
    await writeLakeViews(beside, at)
    await sync(beside)
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true })
    refuseUnwritableFolder(error, dirname(path))
  }
  print(
    `${out} shows snapshot ${at.id === '' ? '(empty)' : at.id}; write it again after an ingest, and after vacuum.`,
  )
}

/** Only what this command wrote is replaced. */
async function refuseOtherFile(path: string): Promise<void> {
  const found = await stat(path).catch((error) => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (found === undefined) return
  if (found.isFile() && isViewsFile(await readFile(path))) return
  fail(
    'malformed_request',
    `${path} is there and was not written by ledgerlake views; another --out is accepted.`,
  )
}

async function sync(path: string): Promise<void> {
  const file = await open(path)
  await file.sync().finally(() => file.close())
}
