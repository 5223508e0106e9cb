import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { copyFile, open, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { digestOf, entriesIn, makeFolder, moveInto, syncFile, unlessMissing } from '../../lake/disk/disk.ts'
import { type StoredObject, StoreFault } from '../object-store/object-store.ts'
import type { CountedStore } from './counted-store.ts'

/** Folders of downloads. The ETag is part of file names, so bytes of two versions never mix. */
export interface DownloadFolders {
  /** Folder of partial files. */
  readonly parts: string
  /** Folder of complete files, each in its own folder under its key. */
  readonly whole: string
}

function digestName({ key, etag }: StoredObject): string {
  return digestOf(`${key}\n${etag}`)
}

function partPath({ parts }: Pick<DownloadFolders, 'parts'>, object: StoredObject): string {
  return join(parts, digestName(object))
}

function wholePath({ whole }: DownloadFolders, object: StoredObject): string {
  return join(whole, digestName(object), ...object.key.split('/'))
}

/** Damaged downloads are repeated. */
const MOST_TRIES = 3

/**
 * Downloads an object, resuming an earlier run, and returns its path. Verifies size and, if known, MD5.
 * Errors: those of the store; `StoreFault` for repeated damage.
 */
export async function downloadObject(
  store: CountedStore,
  object: StoredObject,
  places: DownloadFolders,
  signal?: AbortSignal,
): Promise<string> {
  const target = wholePath(places, object)
  if (existsSync(target)) return target
  await makeFolder(places.parts)
  const part = partPath(places, object)
  for (let attempt = 1; ; attempt += 1) {
    const md5 = await fill(store, object, part, signal)
    const actualMd5 = md5 === undefined ? undefined : await md5Of(part)
    if (actualMd5 === md5) break
    await rm(part)
    if (attempt === MOST_TRIES)
      throw new StoreFault('passing', `${object.key} came with the MD5 ${actualMd5}, and ${md5} is listed`)
  }
  await makeFolder(dirname(target))
  await moveInto(part, target)
  return target
}

/** Completes a partial file; returns the expected MD5. */
async function fill(
  store: CountedStore,
  object: StoredObject,
  part: string,
  signal: AbortSignal | undefined,
) {
  const file = await open(part, 'a')
  try {
    let { size } = await file.stat()
    if (size > object.bytes) {
      await file.truncate(0)
      size = 0
    }
    // Complete but not verified.
    if (size === object.bytes && size > 0) return /^[\da-f]{32}$/.test(object.etag) ? object.etag : undefined
    const sink = {
      bytes: () => size,
      async write(chunk: Uint8Array) {
        const room = object.bytes - size
        if (chunk.length > room) throw new StoreFault('passing', `${object.key} is longer than it was listed`)
        await file.appendFile(chunk)
        size += chunk.length
      },
    }
    const { md5 } = await store.read(object, sink, signal)
    await file.sync()
    return md5
  } finally {
    await file.close()
  }
}

async function md5Of(path: string): Promise<string> {
  const hash = createHash('md5')
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk)
  return hash.digest('hex')
}

/** Removes complete and partial files of an object. */
export async function removeFetched(places: DownloadFolders, object: StoredObject): Promise<void> {
  await rm(partPath(places, object), { force: true })
  await rm(join(places.whole, digestName(object)), { recursive: true, force: true })
}

/** Removes files of all other objects. */
export async function removeUnneeded(
  places: DownloadFolders,
  objects: readonly StoredObject[],
): Promise<void> {
  const neededNames = new Set(objects.map(digestName))
  for (const folder of [places.parts, places.whole])
    for (const { name } of await entriesIn(folder))
      if (!neededNames.has(name)) await rm(join(folder, name), { recursive: true, force: true })
}

/** Copies a file, possibly to another file system, replacing the target. */
export async function copyToKeptFolder(path: string, target: string): Promise<void> {
  await makeFolder(dirname(target))
  const copy = `${target}.new`
  await copyFile(path, copy)
  await syncFile(copy)
  await moveInto(copy, target)
}

/** Returns the bytes that earlier runs downloaded. */
export async function countFetchedBytes(
  places: DownloadFolders,
  objects: readonly StoredObject[],
): Promise<bigint> {
  const sizes = await Promise.all(
    objects.map(async (object) => {
      const [whole, part] = [wholePath(places, object), partPath(places, object)]
      const stats = (await stat(whole).catch(unlessMissing)) ?? (await stat(part).catch(unlessMissing))
      return stats?.size ?? 0
    }),
  )
  return sizes.reduce((sum, size) => sum + BigInt(size), 0n)
}
