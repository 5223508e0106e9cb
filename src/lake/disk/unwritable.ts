import { constants } from 'node:fs'
import { access, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fail, ServiceError, sentenceOf, systemWordsOf } from '../../base/errors.ts'
import { errorCodeOf, isMissing, syncFolder } from './disk.ts'

/** Says in terms of the lake what the file system refused; anything else is thrown as it is. */
export function refuseUnwritable(error: unknown, lake: string): never {
  if (error instanceof ServiceError || systemWordsOf(error) === undefined) throw error
  return fail(
    'lake_unwritable',
    `The lake ${lake} cannot be written: ${sentenceOf(error)}. What was committed stays; make room or give access, and run it again.`,
    { cause: error },
  )
}

/** Says in terms of a folder what the file system refused; anything else is thrown as it is. */
export function refuseUnwritableFolder(error: unknown, folder: string): never {
  if (error instanceof ServiceError || systemWordsOf(error) === undefined) throw error
  const sentence = `${folder} cannot be written: ${sentenceOf(error)}; a folder that can be written is accepted.`
  return fail('lake_unwritable', sentence, { cause: error })
}

/**
 * Makes sure that a folder is there to be written, or the first that is missing on the way to it. Where the kernel makes
 * none, as in /proc, Node would try for ever to make all of them at once; on a read-only file system it would say that
 * something is missing.
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
  // It may be the lake itself: who makes the rest finds it there, and syncs no name that is not its own.
  await syncFolder(dirname(missing))
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error) => {
      if (isMissing(error)) return false
      throw error
    },
  )
}
