import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip, type ZlibOptions } from 'node:zlib'
import { fail } from '../../base/errors.ts'
import { hashFile, isPresent } from '../../lake/disk/disk.ts'

/**
 * Writes chunks to a file, packed by gzip when `gzip` is given, and returns its size on disk. The file has its name only
 * once it is whole and on disk; when it fails nothing is left.
 * Errors: `malformed_request` if the name is taken by a file with other bytes; those of the file system.
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
  /** Number of its messages or lines. */
  readonly items: number
  /** Size on disk. */
  readonly bytes: number
}

interface Parts<T> {
  /** Path of part 0, 1, and so on; its folder is made when missing. */
  readonly pathOf: (part: number) => string
  readonly items: Iterable<T>
  /** A new file begins after so many items. */
  readonly mostItems: number
  /** Makes the chunks of one file from its items. */
  readonly chunksOf: (items: Iterable<T>, part: number) => Iterable<Uint8Array | string>
  readonly gzip: ZlibOptions
}

/**
 * Writes items as gzip files, with bounded memory; at least one file. A file has its name only once it is whole and on
 * disk. Errors: those of `writeWhole`.
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
