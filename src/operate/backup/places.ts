import { readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fail, systemWordsOf } from '../../base/errors.ts'
import { isInside, isMissing } from '../../lake/disk/disk.ts'

/** Resolves symbolic links in the existing part of a path. */
async function realPlace(path: string): Promise<string> {
  const whole = resolve(path)
  try {
    return await realpath(whole)
  } catch (error) {
    if (!isMissing(error)) refuseUnseen(whole, error)
    if (dirname(whole) === whole) throw error
    return join(await realPlace(dirname(whole)), basename(whole))
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
  const [a, b] = [await realPlace(first.path), await realPlace(second.path)]
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
