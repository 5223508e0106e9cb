import { type BlockLayout, fieldsOf } from './block-layout.ts'

/**
 * The rows of one hotspot as bytes, one after the other; FORMAT.md says what a row looks like. Rows are added at the end
 * and nothing before them changes.
 */

/**
 * The code of a value, four bits: 0 to 8 is the length of a number in bytes, 9 to 12 one of the last four values, 13 and 15
 * a text, 14 null.
 */
export const RECENT = 9
export const TEXT = 13
export const NULL = 14
export const LONG_TEXT = 15
export const MOST_NUMBER = 8

/** Where the values of a row are. The object is reused for the next row. */
interface RowPlace {
  group: number
  /** For each column stored with rows of the group: the code of its value, and where its bytes begin. */
  readonly codes: Uint8Array
  readonly starts: Int32Array
}

/** Visits all rows; returns the group of the last one, -1 when there is none. */
export function scanRows(bytes: Buffer, layout: BlockLayout, visit: (row: RowPlace) => void): number {
  const row = {
    group: -1,
    codes: new Uint8Array(layout.codecs.length + 1),
    starts: new Int32Array(layout.codecs.length),
  }
  const { codes, starts } = row
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] ?? 0
    at += 1
    const length = first & 15
    row.group = length === 0 ? layout.after(row.group) : row.group + stepAt(bytes, at, length)
    at += length
    const count = fieldsOf(layout, row.group).length
    codes[0] = first >>> 4
    for (let field = 1; field < count; field += 2) {
      const both = bytes[at] ?? 0
      at += 1
      codes[field] = both & 15
      codes[field + 1] = both >>> 4
    }
    for (let field = 0; field < count; field += 1) {
      starts[field] = at
      at += lengthAt(bytes, at, codes[field] ?? 0)
    }
    visit(row)
  }
  return row.group
}

/** A step between group numbers is small enough for a number. */
function stepAt(bytes: Buffer, at: number, length: number): number {
  const step = partAt(bytes, at, length)
  return (step >>> 1) ^ -(step & 1)
}

/** The length of a value in bytes. */
export function lengthAt(bytes: Buffer, at: number, code: number): number {
  if (code <= MOST_NUMBER) return code
  if (code === TEXT) return 1 + (bytes[at] ?? 0)
  return code === LONG_TEXT ? 4 + bytes.readUInt32LE(at) : 0
}

/** A number of 0 to 8 bytes, little-endian, in two halves that are exact. */
export function numberAt(bytes: Buffer, at: number, length: number): bigint {
  if (length <= 4) return BigInt(partAt(bytes, at, length))
  return (BigInt(partAt(bytes, at + 4, length - 4)) << 32n) | BigInt(partAt(bytes, at, 4))
}

/** Adds such a number to two sums: of its low 32 bits and of the others. */
export function halvesAt(
  bytes: Buffer,
  at: number,
  length: number,
  low: Float64Array,
  high: Float64Array,
  place: number,
): void {
  low[place] = (low[place] ?? 0) + partAt(bytes, at, Math.min(length, 4))
  if (length > 4) high[place] = (high[place] ?? 0) + partAt(bytes, at + 4, length - 4)
}

/** At most 4 bytes. */
function partAt(bytes: Buffer, at: number, length: number): number {
  let part = 0
  for (let place = at + length - 1; place >= at; place -= 1) part = part * 256 + (bytes[place] ?? 0)
  return part
}
