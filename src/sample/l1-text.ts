/** Text under way as bytes. The functions below are called hundreds of millions of times, and so stay plain loops. */
export interface Text {
  bytes: Buffer
  /** Where the next byte goes. There is always room for one more line. */
  at: number
}

const ZERO = 48
const MOST_DIGITS = 16
const digits = new Uint8Array(MOST_DIGITS)

/** Writes characters of ASCII. */
export function putText(text: Text, ascii: string): void {
  const { bytes } = text
  let { at } = text
  for (let from = 0; from < ascii.length; from += 1) bytes[at++] = ascii.charCodeAt(from)
  text.at = at
}

export function putBytes(text: Text, source: Uint8Array, from: number, length: number): void {
  const { bytes } = text
  const { at } = text
  for (let step = 0; step < length; step += 1) bytes[at + step] = source[from + step] as number
  text.at = at + length
}

export function putComma(text: Text): void {
  text.bytes[text.at] = 44
  text.at += 1
}

/** Writes an integer from 0 to 2^53, with zeros before it up to `width` digits. */
export function putInteger(text: Text, integer: number, width = 1): void {
  let rest = integer
  let count = 0
  while (rest > 0 || count < width) {
    const next = rest < 0x8000_0000 ? (rest / 10) | 0 : Math.floor(rest / 10)
    digits[count++] = ZERO + (rest - next * 10)
    rest = next
  }
  const { bytes } = text
  let { at } = text
  while (count > 0) bytes[at++] = digits[--count] as number
  text.at = at
}

/** Writes a number or ASCII, and the comma after it. */
export function putCell(text: Text, cell: number | string): void {
  if (typeof cell === 'number') putInteger(text, cell)
  else putText(text, cell)
  putComma(text)
}
