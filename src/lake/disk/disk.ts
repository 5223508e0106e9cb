import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, type Dirent } from 'node:fs'
import { access, type FileHandle, link, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fail, sentenceOf } from '../../base/errors.ts'

// Durable writes: fsync the content, then create the name, then fsync the folder.

export function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

export function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** Checks for the error of a missing file, as opposed to an unreadable one. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, ['ENOENT', 'ENOTDIR'])
}

/** For `catch`: returns undefined for a missing file. */
export function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}

/** Checks that a file exists; true also for an error other than a missing file. */
export function isPresent(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error) => !isMissing(error),
  )
}

/** Returns true if a path is a folder or inside it, by names alone. */
export function isInside(folder: string, path: string): boolean {
  const relativePath = relative(folder, path)
  return relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath)
}

/** Lists a folder; empty when it is missing, as when another program has just removed it. */
export async function entriesIn(folder: string): Promise<readonly Dirent[]> {
  return (await readdir(folder, { withFileTypes: true }).catch(unlessMissing)) ?? []
}

export async function syncFile(path: string): Promise<void> {
  await withFile(path, 'r+', (handle) => handle.sync())
}

export async function syncFolder(path: string): Promise<void> {
  await withFile(path, 'r', (handle) => handle.sync())
}

async function withFile(path: string, flags: string, act: (handle: FileHandle) => Promise<void>) {
  const handle = await open(path, flags)
  try {
    await act(handle)
  } finally {
    await handle.close()
  }
}

/** Creates a folder and its parents, durably. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true })
  if (first === undefined) return
  const top = dirname(first)
  for (let made = resolve(path); made.length > top.length; made = dirname(made))
    await syncFolder(dirname(made))
}

/** Writes a file and syncs its content, but not its name. */
export async function writeSynced(path: string, content: string | Buffer): Promise<void> {
  await withFile(path, 'w', async (handle) => {
    await handle.writeFile(content)
    await handle.sync()
  })
}

/**
 * Creates a file atomically; resolves to false if the name is taken. It writes in the staging folder, on the same file
 * system, and makes a hard link, which fails on a taken name where a rename would replace the file.
 */
export async function createIfAbsent(path: string, content: string, staging: string): Promise<boolean> {
  const temporary = join(staging, `${randomUUID()}.tmp`)
  try {
    await writeSynced(temporary, content)
    await hardLink(temporary, path)
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    // A file that stays is removed with the staging folder.
    await rm(temporary, { force: true }).catch(() => {})
  }
  await syncFolder(dirname(path))
  return true
}

/** Links a synced file to another name; its present name stays. Errors: `lake_unwritable`. */
export async function linkInto(from: string, to: string): Promise<void> {
  await makeFolder(dirname(to))
  await syncFolder(dirname(from))
  await hardLink(from, to)
  await syncFolder(dirname(to))
}

async function hardLink(from: string, to: string): Promise<void> {
  await link(from, to).catch((error) => {
    if (!hasCode(error, ['ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'ENOSYS', 'EMLINK'])) throw error
    fail(
      'lake_unwritable',
      `The file system of ${dirname(to)} makes no hard links (${sentenceOf(error)}); ` +
        'use a local file system that does, such as ext4, xfs, btrfs, zfs or apfs.',
      { cause: error },
    )
  })
}

/** Replaces a file atomically. `temporary` must be on the same file system. */
export async function replaceFile(path: string, content: string | Buffer, temporary: string): Promise<void> {
  await makeFolder(dirname(path))
  await writeSynced(temporary, content)
  await moveInto(temporary, path)
}

/** Renames a synced file, durably. */
export async function moveInto(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncFolder(dirname(to))
}

/** SHA-256 in hex. */
export function digestOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Digest of a file's bytes in hex, SHA-256 unless given. */
export async function hashFile(path: string, algorithm: 'sha256' | 'md5' = 'sha256'): Promise<string> {
  const hash = createHash(algorithm)
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk)
  return hash.digest('hex')
}
