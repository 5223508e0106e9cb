import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { keyOfBlock } from './block.ts'
import { type Contents, writeContents } from './contents.ts'
import { DIRECTORY_BYTES, digestOf, hashOfKey, MAGIC, TRAILER_BYTES } from './segment.ts'

interface Entry {
  readonly hash: bigint
  readonly start: number
  readonly length: number
  readonly checksum: number
}

/** So many bytes are gathered before they are written. */
const GATHERED_BYTES = 1 << 20

/** Writes blocks, which come in the order of their keys, then what finds them. */
export class SegmentWriter {
  readonly #handle: FileHandle
  readonly #entries: Entry[] = []
  #gathered: Buffer[] = [MAGIC]
  #gatheredBytes = MAGIC.length
  #written = 0

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  static async create(path: string): Promise<SegmentWriter> {
    return new SegmentWriter(await open(path, 'w'))
  }

  async append(block: Buffer): Promise<void> {
    this.#entries.push({
      hash: hashOfKey(keyOfBlock(block)),
      start: this.#written + this.#gatheredBytes,
      length: block.length,
      checksum: crc32(block),
    })
    await this.#write(block)
  }

  async finish(contents: Contents): Promise<void> {
    const blocksEnd = this.#written + this.#gatheredBytes
    const directory = writeDirectory(this.#entries)
    const text = Buffer.from(writeContents(contents))
    const trailer = Buffer.alloc(TRAILER_BYTES)
    const places = [blocksEnd, this.#entries.length, blocksEnd + directory.length, text.length]
    for (const [index, place] of places.entries()) trailer.writeBigUInt64LE(BigInt(place), index * 8)
    digestOf(Buffer.concat([directory, text])).copy(trailer, 32)
    for (const part of [directory, text, trailer]) await this.#write(part)
    await this.#flush()
    await this.#handle.sync()
    await this.close()
  }

  async close(): Promise<void> {
    await this.#handle.close()
  }

  async #write(part: Buffer): Promise<void> {
    this.#gathered.push(part)
    this.#gatheredBytes += part.length
    if (this.#gatheredBytes >= GATHERED_BYTES) await this.#flush()
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#gathered)
    await this.#handle.appendFile(bytes)
    this.#written += bytes.length
    this.#gathered = []
    this.#gatheredBytes = 0
  }
}

function writeDirectory(entries: readonly Entry[]): Buffer {
  const sorted = [...entries].sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0))
  const bytes = Buffer.alloc(sorted.length * DIRECTORY_BYTES)
  for (const [index, { hash, start, length, checksum }] of sorted.entries()) {
    bytes.writeBigUInt64LE(hash, index * 8)
    bytes.writeBigUInt64LE(BigInt(start), (sorted.length + index) * 8)
    bytes.writeUInt32LE(length, sorted.length * 16 + index * 4)
    bytes.writeUInt32LE(checksum, sorted.length * 20 + index * 4)
  }
  return bytes
}
