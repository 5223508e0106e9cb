import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { digestOf, makeFolder, moveInto, unlessMissing } from '../lake/disk.ts'
import { type StoredObject, StoreFault } from '../object-store/object-store.ts'
import type { CountedStore } from './counted-store.ts'

/** Where what was fetched so far of an object lies; another ETag makes another name, so parts of two are never joined. */
function partPath(folder: string, { key, etag }: StoredObject): string {
  return join(folder, digestOf(`${key}\n${etag}`))
}

/** Bytes may be damaged on the way; then all are fetched once more. */
const MOST_TRIES = 3

/**
 * Fetches an object to a path, beginning where an earlier run was ended. It appears there whole: with the size that was listed,
 * and its MD5 where the store tells it. Errors: those of the store; `StoreFault` when its bytes are damaged again and again.
 */
export async function download(
  store: CountedStore,
  object: StoredObject,
  parts: string,
  target: string,
  signal?: AbortSignal,
): Promise<void> {
  await makeFolder(parts)
  const part = partPath(parts, object)
  for (let attempt = 1; ; attempt += 1) {
    const md5 = await fill(store, object, part, signal)
    const found = md5 === undefined ? undefined : await md5Of(part)
    if (found === md5) break
    await rm(part)
    if (attempt === MOST_TRIES)
      throw new StoreFault('passing', `${object.key} came with the MD5 ${found}, and ${md5} is listed`)
  }
  await makeFolder(join(target, '..'))
  await moveInto(part, target)
}

/** Appends what a part lacks; gives the MD5 that the whole should have. */
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
    // Whole already, but nobody has compared it yet.
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

/** Removes parts of objects that are not wanted any more. */
export async function removeOtherParts(folder: string, wanted: readonly StoredObject[]): Promise<void> {
  const kept = new Set(wanted.map((object) => partPath(folder, object)))
  for (const name of (await readdir(folder).catch(unlessMissing)) ?? [])
    if (!kept.has(join(folder, name))) await rm(join(folder, name), { force: true })
}

/** Bytes that an earlier run has fetched of objects. */
export async function bytesThere(folder: string, wanted: readonly StoredObject[]): Promise<bigint> {
  const sizes = await Promise.all(
    wanted.map(async (object) => (await stat(partPath(folder, object)).catch(unlessMissing))?.size ?? 0),
  )
  return sizes.reduce((sum, size) => sum + BigInt(size), 0n)
}
