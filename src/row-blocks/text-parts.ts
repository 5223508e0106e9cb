import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** A part of the texts of a column is begun once it has so many bytes: it is unpacked for any of its texts. */
const PART_BYTES = 4096
const PLAIN = 0
const DEFLATED = 1

/** Gathers texts, and gives them as parts. */
export class TextPart {
  #pieces: Buffer[] = []
  #bytes = 0
  #count = 0

  add(text: Buffer): void {
    const head = Buffer.alloc(4)
    head.writeUInt32LE(text.length)
    this.#pieces.push(head, text)
    this.#bytes += text.length
    this.#count += 1
  }

  get count(): number {
    return this.#count
  }

  get isFull(): boolean {
    return this.#bytes >= PART_BYTES
  }

  /** All texts as bytes, packed where that is shorter; then it begins anew. */
  take(): Buffer {
    const lengths = this.#pieces.filter((_, place) => place % 2 === 0)
    const texts = this.#pieces.filter((_, place) => place % 2 === 1)
    const count = Buffer.alloc(4)
    count.writeUInt32LE(this.#count)
    const plain = Buffer.concat([count, ...lengths, ...texts])
    const deflated = deflateRawSync(plain)
    this.#pieces = []
    this.#bytes = 0
    this.#count = 0
    return deflated.length < plain.length
      ? Buffer.concat([Buffer.of(DEFLATED), deflated])
      : Buffer.concat([Buffer.of(PLAIN), plain])
  }
}

/** The texts of a part. */
export interface TextsOfPart {
  readonly bytes: Buffer
  /** Where each text begins, and where the last one ends. */
  readonly offsets: Uint32Array
}

/** A part unpacks to no more than this: its texts are limited by those of the ledger. */
const MOST_BYTES = 1 << 28

/** Most parts are a little longer than 4 KB. */
const inflating = { maxOutputLength: MOST_BYTES, chunkSize: 8192 }

/** Errors: RangeError or one of zlib for what `TextPart` does not write. */
export function readTextPart(part: Buffer): TextsOfPart {
  const packed = part.subarray(1)
  const bytes = part[0] === DEFLATED ? inflateRawSync(packed, inflating) : packed
  const count = bytes.readUInt32LE()
  if (count > bytes.length >>> 2)
    throw new RangeError('a part of texts says that it has more than it can have')
  const offsets = new Uint32Array(count + 1)
  offsets[0] = 4 + count * 4
  for (let place = 0; place < count; place += 1)
    offsets[place + 1] = (offsets[place] as number) + bytes.readUInt32LE(4 + place * 4)
  return { bytes, offsets }
}
