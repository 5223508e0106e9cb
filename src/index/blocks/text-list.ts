/** Concatenated texts. */
export interface TextList {
  readonly count: number
  readonly bytes: Buffer
  /** Head and start of each text in turn; then 0 and the end of the last text. */
  readonly places: Uint32Array
}

export const noTexts: TextList = { count: 0, bytes: Buffer.alloc(0), places: Uint32Array.of(0, 0) }

const LENGTH_BYTES = 4

/** Reads texts: from `start` the length of each in 4 bytes, then the texts. Errors: RangeError for too few bytes. */
export function readTextList(bytes: Buffer, start: number, count: number): TextList {
  const texts = start + count * LENGTH_BYTES
  if (texts > bytes.length) throw new RangeError(`there are fewer texts than ${count}`)
  const places = new Uint32Array(count * 2 + 2)
  let end = texts
  for (let text = 0; text < count; text += 1) {
    const begin = end
    end += bytes.readUInt32LE(start + text * LENGTH_BYTES)
    places[text * 2] = headOf(bytes, begin, end)
    places[text * 2 + 1] = begin
  }
  places[count * 2 + 1] = end
  return { count, bytes, places }
}

/** Returns the first four bytes of a text as a number, padded with zeros. Different heads order like their texts. */
export function headOf(bytes: Uint8Array, start: number, end: number): number {
  let head = 0
  for (let at = start; at < start + 4; at += 1) head = head * 256 + (at < end ? (bytes[at] ?? 0) : 0)
  return head
}
