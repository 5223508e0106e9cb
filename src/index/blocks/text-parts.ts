import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { readTextList, type TextList } from './text-list.ts'

/** Size at which a part is full. Reading one text unpacks its whole part. */
const PART_BYTES = 4096
const COUNT_BYTES = 4
const PLAIN = 0
const DEFLATED = 1

/** Buffers texts with one character per byte for one part. */
export class TextPart {
  #texts = Buffer.alloc(2 * PART_BYTES)
  #bytes = 0
  readonly #lengths: number[] = []

  add(text: string): void {
    const end = this.#bytes + text.length
    if (end > this.#texts.length) this.#texts = Buffer.concat([this.#texts], 2 * end)
    this.#texts.write(text, this.#bytes, 'latin1')
    this.#bytes = end
    this.#lengths.push(text.length)
  }

  get count(): number {
    return this.#lengths.length
  }

  get isFull(): boolean {
    return this.#bytes >= PART_BYTES
  }

  /** Returns the part, compressed if that is shorter, and resets the buffer. */
  take(): Buffer {
    const numbers = Uint32Array.of(this.#lengths.length, ...this.#lengths)
    const plain = Buffer.concat([Buffer.from(numbers.buffer), this.#texts.subarray(0, this.#bytes)])
    const deflated = deflateRawSync(plain)
    this.#bytes = 0
    this.#lengths.length = 0
    return deflated.length < plain.length
      ? Buffer.concat([Buffer.of(DEFLATED), deflated])
      : Buffer.concat([Buffer.of(PLAIN), plain])
  }
}

/** Limit of an unpacked part. */
const MOST_BYTES = 1 << 28

/** Most parts are a little longer than 4 KB. */
const inflating = { maxOutputLength: MOST_BYTES, chunkSize: 8192 }

/** Reads a part of `TextPart`. Errors: RangeError or an error of zlib for other bytes. */
export function readTextPart(part: Buffer): TextList {
  const packed = part.subarray(1)
  const bytes = part[0] === DEFLATED ? inflateRawSync(packed, inflating) : packed
  return readTextList(bytes, COUNT_BYTES, bytes.readUInt32LE())
}
