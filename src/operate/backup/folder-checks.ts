import { readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fail, ServiceError, sentenceOf, systemWordsOf } from '../../base/errors.ts'
import { isInside, isMissing } from '../../lake/disk/disk.ts'

/** Resolves symbolic links in the existing part of a path. */
async function resolveLinks(path: string): Promise<string> {
  const whole = resolve(path)
  try {
    return await realpath(whole)
  } catch (error) {
    if (!isMissing(error)) refuseUnseen(whole, error)
    if (dirname(whole) === whole) throw error
    return join(await resolveLinks(dirname(whole)), basename(whole))
  }
}

export function refuseUnseen(path: string, error: unknown): never {
  const words = systemWordsOf(error)
  if (words === undefined) throw error
  fail('lake_unwritable', `${path} cannot be looked at: ${words}; give access, or name another folder.`, {
    cause: error,
  })
}

interface Named {
  readonly what: string
  readonly path: string
}

/**
 * Throws if two folders are the same or nested, also through symbolic links.
 * Errors: `malformed_request`, `lake_unwritable`.
 */
export async function refuseOneInOther(first: Named, second: Named): Promise<void> {
  const [a, b] = [await resolveLinks(first.path), await resolveLinks(second.path)]
  const refuse = (subject: Named, how: string, object: Named) =>
    fail(
      'malformed_request',
      `The ${subject.what} ${subject.path} ${how} the ${object.what} ${object.path}; name a folder apart from it.`,
    )
  if (a === b) refuse(second, 'is the same folder as', first)
  if (isInside(a, b)) refuse(second, 'lies inside', first)
  if (isInside(b, a)) refuse(first, 'lies inside', second)
}

/** Names in a folder; empty if the folder does not exist. Errors: `malformed_request` for a file; `lake_unwritable`. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch((error) => {
    if (error?.code === 'ENOTDIR') fail('malformed_request', `${folder} is a file; use a folder.`)
    return isMissing(error) ? [] : refuseUnseen(folder, error)
  })
}

/** For `catch`: converts an error of the file system to a sentence about `copy`, such as the backup to a folder. */
export const refuseIncomplete =
  (copy: string, safe: string) =>
  (cause: unknown): never => {
    if (cause instanceof ServiceError || systemWordsOf(cause) === undefined) throw cause
    const again = 'make room or give access, and run it again: it goes on where it ended'
    const sentence = `The ${copy} is not complete: ${sentenceOf(cause)}. ${safe}; ${again}.`
    return fail('lake_unwritable', sentence, { cause })
  }

/** Returns the names that a folder of backups, or a lake, has of its own; hidden ones are not listed. */
export const visibleNames = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !/^[._]|^lost\+found$/.test(name))
