import { existsSync } from 'node:fs'
import { copyFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  digestOf,
  entriesIn,
  hashFile,
  makeFolder,
  moveInto,
  syncFile,
  unlessMissing,
} from '../../lake/disk/disk.ts'
import { downloadPart } from '../object-store/download-part.ts'
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

/**
 * Downloads an object, resuming an earlier run, and returns its path. Verifies size and, if known, MD5.
 * Errors: those of the store; `StoreFault` for repeated damage.
 */
export async function downloadObject(
  store: CountedStore,
  object: StoredObject,
  places: DownloadFolders,
): Promise<string> {
  const target = wholePath(places, object)
  if (existsSync(target)) return target
  await makeFolder(places.parts)
  const part = partPath(places, object)
  let md5: string | undefined
  const damage = await downloadPart({
    ...{ part, label: object.key, bytes: object.bytes },
    async receive(sink) {
      // Complete already, but not verified.
      if (sink.bytes() === object.bytes && object.bytes > 0) md5 = md5OfEtag(object)
      else ({ md5 } = await store.read(object, sink))
    },
    async findDamage() {
      const actual = md5 === undefined ? undefined : await hashFile(part, 'md5')
      return actual === md5 ? undefined : `${object.key} came with the MD5 ${actual}, and ${md5} is listed`
    },
  })
  if (damage !== undefined) throw new StoreFault('passing', damage)
  await makeFolder(dirname(target))
  await moveInto(part, target)
  return target
}

function md5OfEtag({ etag }: StoredObject): string | undefined {
  return /^[\da-f]{32}$/.test(etag) ? etag : undefined
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
