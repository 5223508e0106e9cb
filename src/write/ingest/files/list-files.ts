import type { Dirent, Stats } from 'node:fs'
import { readdir, readlink, realpath, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { sentenceOf, systemWordsOf } from '../../../base/errors.ts'
import { isInside } from '../../../lake/disk/disk.ts'

/** An unreadable path, with the reason. */
export interface UnreadablePath {
  readonly path: string
  readonly reason: string
}

/** A regular file, links followed. */
export interface InputFile {
  readonly path: string
  readonly bytes: number
}

type Listed =
  | InputFile
  /** `isLone`: a file in a folder, whose name determines its kind. */
  | (UnreadablePath & { readonly isLone: boolean })

/** A folder given by the user, and its real path. */
interface Root {
  readonly path: string
  readonly real: string
}

/**
 * Lists the file at a path, or all files below a folder. Follows a link named by the user; below it, follows only
 * links to files inside the folder.
 */
export async function listFiles(path: string): Promise<readonly Listed[]> {
  try {
    const stats = await stat(path)
    if (!stats.isDirectory()) return [fileOf(path, stats, false)]
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

/** Links to folders inside the root are skipped: the walk reaches their target anyway. */
async function listEntry(path: string, entry: Dirent, root: Root): Promise<readonly Listed[]> {
  if (entry.isDirectory()) return await walk(path, root)
  try {
    const real = entry.isSymbolicLink() ? await realpath(path) : undefined
    if (real !== undefined && !isInside(root.real, real)) {
      const reason = `it is a symbolic link out of ${root.path}, to ${real}; give that path itself`
      return [{ path, reason, isLone: false }]
    }
    const stats = await stat(path)
    return stats.isDirectory() ? [] : [fileOf(path, stats, true)]
  } catch (error) {
    return [{ path, reason: await reasonOf(path, error), isLone: entry.isFile() }]
  }
}

/** Returns a regular file, or why it is none: reading a pipe or a device might never end. */
function fileOf(path: string, stats: Stats, isLone: boolean): Listed {
  if (stats.isFile()) return { path, bytes: stats.size }
  const kind = stats.isFIFO() ? 'a named pipe' : stats.isSocket() ? 'a socket' : 'a device'
  return { path, reason: `it is ${kind}; expected a regular file`, isLone }
}

/** Node replaces bytes that are not UTF-8 by this character and then cannot open the file. */
const REPLACED = '\uFFFD'

async function reasonOf(path: string, error: unknown): Promise<string> {
  const target = await readlink(path).catch(() => undefined)
  if (basename(path).includes(REPLACED)) return 'its name is not UTF-8; use a name in UTF-8'
  const words = systemWordsOf(error) ?? sentenceOf(error)
  return target === undefined ? words : `it is a symbolic link to ${target}: ${words}`
}
