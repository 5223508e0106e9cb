import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { readTextList, type TextList } from './text-list.ts'

/** A part of the texts of a column is begun once it has so many bytes: it is unpacked for any of its texts. */
const PART_BYTES = 4096
const COUNT_BYTES = 4
const PLAIN = 0
const DEFLATED = 1

/** Gathers texts of one character a byte, and gives them as parts. */
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

  /** All texts as bytes, packed where that is shorter; then it begins anew. */
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

/** A part unpacks to no more than this: its texts are limited by those of the ledger. */
const MOST_BYTES = 1 << 28

/** Most parts are a little longer than 4 KB. */
const inflating = { maxOutputLength: MOST_BYTES, chunkSize: 8192 }

/** Errors: RangeError or one of zlib for what `TextPart` does not write. */
export function readTextPart(part: Buffer): TextList {
  const packed = part.subarray(1)
  const bytes = part[0] === DEFLATED ? inflateRawSync(packed, inflating) : packed
  return readTextList(bytes, COUNT_BYTES, bytes.readUInt32LE())
}
