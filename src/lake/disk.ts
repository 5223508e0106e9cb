import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, mkdir, open, rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fail, sentenceOf } from '../errors.ts'

/** Writing that survives a power cut: content first, then the name, then the folder. */

export function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes a folder and makes its name durable in its parent. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true })
  if (first !== undefined) await syncFolder(dirname(first))
}

async function writeTemporary(folder: string, content: string): Promise<string> {
  const temporary = join(folder, `.${randomUUID()}.tmp`)
  const handle = await open(temporary, 'wx')
  try {
    await handle.writeFile(content)
    await handle.sync()
  } catch (error) {
    await unlink(temporary)
    throw error
  } finally {
    await handle.close()
  }
  return temporary
}

/**
 * Creates a file whole, only if its name is free. Gives false when it is taken.
 * A hard link fails on a taken name where a rename would replace it silently.
 */
export async function createIfAbsent(path: string, content: string): Promise<boolean> {
  const temporary = await writeTemporary(dirname(path), content)
  try {
    await link(temporary, path)
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') return false
    if (['ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'ENOSYS', 'EMLINK'].includes(errorCodeOf(error) ?? '')) {
      fail(
        'lake_unwritable',
        `The file system of ${dirname(path)} makes no hard links (${sentenceOf(error)}); ` +
          'a local file system that does, such as ext4, xfs, btrfs, zfs or apfs, is accepted.',
        { cause: error },
      )
    }
    throw error
  } finally {
    await unlink(temporary)
  }
  await syncFolder(dirname(path))
  return true
}

/** Replaces a file whole: a reader sees the old content or the new. */
export async function replaceFile(path: string, content: string): Promise<void> {
  await makeFolder(dirname(path))
  await rename(await writeTemporary(dirname(path), content), path)
  await syncFolder(dirname(path))
}

/** Moves a synced file to its place. */
export async function moveInto(from: string, to: string): Promise<void> {
  await makeFolder(dirname(to))
  await rename(from, to)
  await syncFolder(dirname(to))
}

/** SHA-256 of a file's bytes, in hex. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk)
  return hash.digest('hex')
}
