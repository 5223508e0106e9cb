import { constants } from 'node:fs'
import { access, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fail, ServiceError, sentenceOf, systemWordsOf } from '../../base/errors.ts'
import { errorCodeOf, syncFolder, unlessMissing } from './disk.ts'

/** Converts a file system error to `lake_unwritable`; rethrows any other error. */
export function refuseUnwritable(error: unknown, lake: string): never {
  if (error instanceof ServiceError || systemWordsOf(error) === undefined) throw error
  return fail(
    'lake_unwritable',
    `The lake ${lake} cannot be written: ${sentenceOf(error)}. What was committed stays; make room or give access, and run it again.`,
    { cause: error },
  )
}

/** Converts a file system error to `lake_unwritable` for a folder; rethrows any other error. */
export function refuseUnwritableFolder(error: unknown, folder: string): never {
  if (error instanceof ServiceError || systemWordsOf(error) === undefined) throw error
  const sentence = `${folder} cannot be written: ${sentenceOf(error)}; use a folder that can be written.`
  return fail('lake_unwritable', sentence, { cause: error })
}

/**
 * Checks that a folder is writable, or creates the topmost missing parent. Node's recursive mkdir would loop forever in
 * /proc, and would report a missing folder on a read-only file system.
 * Errors: those of the file system.
 */
export async function checkWritable(folder: string): Promise<void> {
  if (await exists(folder)) return access(folder, constants.W_OK)
  let missing = folder
  while (!(await exists(dirname(missing)))) missing = dirname(missing)
  try {
    await mkdir(missing)
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw error
    return
  }
  // Later calls find this folder, possibly the lake itself, and do not sync its name.
  await syncFolder(dirname(missing))
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(unlessMissing)) !== undefined
}
