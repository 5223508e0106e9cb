/** Texts that lie one after the other. */
export interface TextList {
  readonly bytes: Buffer
  /** Where each text begins, and where the last one ends. */
  readonly offsets: Uint32Array
  /** The head of each text. */
  readonly heads: Uint32Array
}

export const noTexts: TextList = {
  bytes: Buffer.alloc(0),
  offsets: Uint32Array.of(0),
  heads: new Uint32Array(),
}

const LENGTH_BYTES = 4

/** The texts of bytes that have from `start` the length of each in 4 bytes, then the texts. Errors: RangeError for too few bytes. */
export function textsAt(bytes: Buffer, start: number, count: number): TextList {
  const texts = start + count * LENGTH_BYTES
  if (texts > bytes.length) throw new RangeError(`there are fewer texts than ${count}`)
  const offsets = new Uint32Array(count + 1)
  const heads = new Uint32Array(count)
  offsets[0] = texts
  for (let place = 0; place < count; place += 1) {
    const begin = offsets[place] as number
    const end = begin + bytes.readUInt32LE(start + place * LENGTH_BYTES)
    offsets[place + 1] = end
    heads[place] = headOf(bytes, begin, end)
  }
  return { bytes, offsets, heads }
}

/** The first four bytes of a text as a number, with zeros for those that it lacks: where heads differ, texts have the same order. */
export function headOf(bytes: Uint8Array, start: number, end: number): number {
  let head = 0
  for (let at = start; at < start + 4; at += 1) head = head * 256 + (at < end ? (bytes[at] ?? 0) : 0)
  return head
}
