import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip, type ZlibOptions } from 'node:zlib'
import { fail } from '../../base/errors.ts'
import { hashFile, isPresent } from '../../lake/disk/disk.ts'

/**
 * Writes chunks to a file, compressed if `gzip` is given, and returns its size on disk. The file is renamed into place
 * when complete and synced; after a failure nothing remains.
 * Errors: `malformed_request` if a file with other bytes has the name; those of the file system.
 */
export async function writeWhole(
  path: string,
  chunks: Iterable<Uint8Array | string>,
  gzip?: ZlibOptions,
): Promise<number> {
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.part`
  try {
    const file = createWriteStream(temporary, { flush: true })
    await (gzip === undefined ? pipeline(chunks, file) : pipeline(chunks, createGzip(gzip), file))
    const { size } = await stat(temporary)
    if (!(await isPresent(path))) await rename(temporary, path)
    else if ((await hashFile(temporary)) === (await hashFile(path))) await rm(temporary)
    else fail('malformed_request', `${path} is there with other bytes; remove it, or name another folder.`)
    return size
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

export interface PartFile {
  readonly path: string
  /** Number of messages or lines. */
  readonly items: number
  /** Size on disk. */
  readonly bytes: number
}

interface Parts<T> {
  /** Path of a part, from 0; its folder is created if missing. */
  readonly pathOf: (part: number) => string
  readonly items: Iterable<T>
  /** Number of items after which a new file starts. */
  readonly mostItems: number
  /** Converts the items of one file to chunks. */
  readonly chunksOf: (items: Iterable<T>, part: number) => Iterable<Uint8Array | string>
  readonly gzip: ZlibOptions
}

/**
 * Writes items as at least one gzip file, with bounded memory. Each file is renamed into place when complete and
 * synced. Errors: those of `writeWhole`.
 */
export async function writeParts<T>(parts: Parts<T>): Promise<readonly PartFile[]> {
  const { pathOf, items, mostItems, chunksOf, gzip } = parts
  const iterator = items[Symbol.iterator]()
  let next = iterator.next()
  let count = 0
  function* itemsOfFile(): Generator<T> {
    for (count = 0; next.done !== true && count < mostItems; next = iterator.next()) {
      count += 1
      yield next.value
    }
  }
  const files: PartFile[] = []
  do {
    const path = pathOf(files.length)
    const bytes = await writeWhole(path, chunksOf(itemsOfFile(), files.length), gzip)
    files.push({ path, items: count, bytes })
  } while (next.done !== true)
  return files
}
