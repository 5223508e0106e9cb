import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip, type ZlibOptions } from 'node:zlib'
import { fail } from '../../base/errors.ts'

/**
 * Writes chunks to a file, packed by gzip when `gzip` is given, and returns its size on disk. The file has its name only
 * once it is whole and on disk; when it fails nothing is left.
 * Errors: `malformed_request` if the name is taken by a file with other bytes; those of the file system.
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
    if (!(await exists(path))) await rename(temporary, path)
    else if ((await digestOf(temporary)) === (await digestOf(path))) await rm(temporary)
    else fail('malformed_request', `${path} is there with other bytes; remove it, or name another folder.`)
    return size
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
