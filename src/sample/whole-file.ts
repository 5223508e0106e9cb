import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip, type ZlibOptions } from 'node:zlib'

/**
 * Writes chunks to a file, packed by gzip when `gzip` is given, and gives its size on disk. The file has its name only
 * once it is whole and on disk; when it fails nothing is left. Errors: those of the file system.
 */
export async function writeWhole(
  path: string,
  chunks: Iterable<Uint8Array | string> | AsyncIterable<Uint8Array>,
  gzip?: ZlibOptions,
): Promise<number> {
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.part`
  try {
    const file = createWriteStream(temporary, { flush: true })
    await (gzip === undefined ? pipeline(chunks, file) : pipeline(chunks, createGzip(gzip), file))
    const { size } = await stat(temporary)
    await rename(temporary, path)
    return size
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
