import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { type Contents, writeContents } from './contents.ts'
import {
  type Block,
  checksumOf,
  DIRECTORY_BYTES,
  HASH_BYTES,
  MAGIC,
  NUMBERS_BYTES,
} from './segment-layout.ts'

interface Entry {
  readonly hash: bigint
  readonly length: number
  readonly checksum: number
}

/** Bytes are written in pieces of this size; requests are answered in between. */
const PIECE_BYTES = 1 << 18

/** Writes blocks, which come in the order of their digests, then directory, contents and trailer. */
export class SegmentWriter {
  readonly #handle: FileHandle
  readonly #entries: Entry[] = []
  #pending: Buffer[] = [MAGIC]
  #pendingBytes = MAGIC.length
  #written = 0

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  static async create(path: string): Promise<SegmentWriter> {
    return new SegmentWriter(await open(path, 'w'))
  }

  async append({ digest, rows }: Block): Promise<void> {
    const rest = digest.subarray(HASH_BYTES)
    this.#entries.push({
      hash: digest.readBigUInt64BE(),
      length: rest.length + rows.length,
      checksum: crc32(rows, crc32(rest)),
    })
    await this.#write(rest)
    await this.#write(rows)
  }

  async finish(contents: Contents): Promise<void> {
    const blocksEnd = this.#written + this.#pendingBytes
    const directory = writeDirectory(this.#entries)
    const text = Buffer.from(writeContents(contents))
    const numbers = Buffer.alloc(NUMBERS_BYTES)
    for (const [index, number] of [blocksEnd, this.#entries.length, text.length].entries())
      numbers.writeBigUInt64LE(BigInt(number), index * 8)
    const checksum = checksumOf([directory, text, numbers])
    for (const part of [directory, text, numbers, checksum]) await this.#write(part)
    await this.#flush()
    await this.#handle.sync()
    await this.close()
  }

  async close(): Promise<void> {
    await this.#handle.close()
  }

  async #write(part: Buffer): Promise<void> {
    this.#pending.push(part)
    this.#pendingBytes += part.length
    if (this.#pendingBytes >= PIECE_BYTES) await this.#flush()
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#pending)
    await this.#handle.appendFile(bytes)
    this.#written += bytes.length
    this.#pending = []
    this.#pendingBytes = 0
  }
}

function writeDirectory(entries: readonly Entry[]): Buffer {
  const bytes = Buffer.alloc(entries.length * DIRECTORY_BYTES)
  for (const [index, { hash, length, checksum }] of entries.entries()) {
    bytes.writeBigUInt64BE(hash, index * HASH_BYTES)
    bytes.writeUInt32LE(length, entries.length * HASH_BYTES + index * 4)
    bytes.writeUInt32LE(checksum, entries.length * (HASH_BYTES + 4) + index * 4)
  }
  return bytes
}
