import type { Dirent, Stats } from 'node:fs'
import { readdir, readlink, realpath, stat } from 'node:fs/promises'
import { basename, isAbsolute, join, relative, sep } from 'node:path'
import { sentenceOf, systemWordsOf } from '../../../base/errors.ts'

/** A path that is no file to read, and why. */
export interface UnreadablePath {
  readonly path: string
  readonly reason: string
}

/** A regular file, followed through links, or a path that is none. */
type Listed =
  | { readonly path: string; readonly bytes: number }
  /** `isLone`: it was found in a folder and is no folder itself, so its name says whether it is wanted. */
  | (UnreadablePath & { readonly isLone: boolean })

/** A folder that was given, as it was written and where it lies. */
interface Root {
  readonly path: string
  readonly real: string
}

/**
 * The file at a path, or all that lie below it. A path that is given is followed wherever it leads; below it a link
 * counts only when it leads to something inside. A link to a folder is not walked: what lies there is found there.
 */
export async function listFiles(path: string): Promise<readonly Listed[]> {
  try {
    const found = await stat(path)
    if (!found.isDirectory()) return [fileOf(path, found, false)]
    return await walk(path, { path, real: await realpath(path) })
  } catch (error) {
    return [{ path, reason: await reasonOf(path, error), isLone: false }]
  }
}

async function walk(folder: string, root: Root): Promise<readonly Listed[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    const listed = await Promise.all(entries.map((entry) => listEntry(join(folder, entry.name), entry, root)))
    return listed.flat()
  } catch (error) {
    return [{ path: folder, reason: await reasonOf(folder, error), isLone: false }]
  }
}

/** All below a folder, a file, or what a link leads to: nothing when that is a folder, which is found anyway. */
async function listEntry(path: string, entry: Dirent, root: Root): Promise<readonly Listed[]> {
  if (entry.isDirectory()) return await walk(path, root)
  try {
    const real = entry.isSymbolicLink() ? await realpath(path) : undefined
    if (real !== undefined && !isInside(real, root.real)) {
      const reason = `it is a symbolic link out of ${root.path}, to ${real}; give that path itself`
      return [{ path, reason, isLone: false }]
    }
    const found = await stat(path)
    return found.isDirectory() ? [] : [fileOf(path, found, true)]
  } catch (error) {
    return [{ path, reason: await reasonOf(path, error), isLone: entry.isFile() }]
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Reading a pipe or a device might never end. */
function fileOf(path: string, found: Stats, isLone: boolean): Listed {
  if (found.isFile()) return { path, bytes: found.size }
  const kind = found.isFIFO() ? 'a named pipe' : found.isSocket() ? 'a socket' : 'a device'
  return { path, reason: `it is ${kind}; a regular file is accepted`, isLone }
}

/** What Node puts in the place of bytes that are no UTF-8; it then cannot find the file again. */
const REPLACED = '\uFFFD'

async function reasonOf(path: string, error: unknown): Promise<string> {
  const target = await readlink(path).catch(() => undefined)
  if (basename(path).includes(REPLACED)) return 'its name is not UTF-8; a name in UTF-8 is accepted'
  const words = systemWordsOf(error) ?? sentenceOf(error)
  return target === undefined ? words : `it is a symbolic link to ${target}: ${words}`
}
