import { type BlockForm, fieldsOf } from './block-form.ts'
import { type Token, unzigzag } from './forms.ts'

/**
 * The rows of one hotspot as bytes, one after the other; README.md says what a row looks like. Rows are added at the end
 * and nothing before them changes.
 */

/** What the four bits before a value say: up to 8 the bytes of a number, then one of the values said last, or else. */
export const RECENT = 9
export const MOST_RECENT = 4
export const TEXT = 13
export const NULL = 14
export const LONG_TEXT = 15
const MOST_NUMBER = 8

/** Where the values of a row are. It is used again for the next row. */
interface RowPlace {
  group: number
  /** For each column that rows of the group say: its four bits, and where its bytes begin. */
  readonly codes: Uint8Array
  readonly starts: Int32Array
}

/** Goes over all rows; gives the group of the last one, -1 when there is none. */
export function scanRows(bytes: Buffer, form: BlockForm, visit: (row: RowPlace) => void): number {
  const row = {
    group: -1,
    codes: new Uint8Array(form.forms.length + 1),
    starts: new Int32Array(form.forms.length),
  }
  const { codes, starts } = row
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] ?? 0
    at += 1
    const length = first & 15
    row.group = length === 0 ? form.after(row.group) : row.group + stepAt(bytes, at, length)
    at += length
    const count = fieldsOf(form, row.group).length
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

/** Numbers of groups are few, so steps between them stay numbers. */
function stepAt(bytes: Buffer, at: number, length: number): number {
  const step = partAt(bytes, at, length)
  return (step >>> 1) ^ -(step & 1)
}

function lengthAt(bytes: Buffer, at: number, code: number): number {
  if (code <= MOST_NUMBER) return code
  if (code === TEXT) return 1 + (bytes[at] ?? 0)
  return code === LONG_TEXT ? 4 + bytes.readUInt32LE(at) : 0
}

/** A number of 0 to 8 bytes, little-endian, in two halves that are exact. */
function numberAt(bytes: Buffer, at: number, length: number): bigint {
  if (length <= 4) return BigInt(partAt(bytes, at, length))
  return (BigInt(partAt(bytes, at + 4, length - 4)) << 32n) | BigInt(partAt(bytes, at, 4))
}

/** At most 4 bytes. */
function partAt(bytes: Buffer, at: number, length: number): number {
  let part = 0
  for (let place = at + length - 1; place >= at; place -= 1) part = part * 256 + (bytes[place] ?? 0)
  return part
}

/** What the rows so far said of each column, for each reward type by itself. */
export interface Memory {
  readonly near: bigint[]
  readonly recent: Token[][]
}

export function openMemory({ forms, types }: BlockForm): Memory {
  const places = forms.length * types
  return { near: Array<bigint>(places).fill(0n), recent: Array.from({ length: places }, () => []) }
}

/** Puts a token first among those said last; gives its place before, -1 when it was not among them. */
export function remember(recent: Token[], token: Token): number {
  const place = recent.indexOf(token)
  if (place >= 0) recent.splice(place, 1)
  else if (recent.length === MOST_RECENT) recent.pop()
  recent.unshift(token)
  return place
}

/** Called for each row with its number in the block, its group, and its values by the numbers of their columns. */
export type VisitTokens = (row: number, group: number, tokenOf: (column: number) => Token | null) => void

/**
 * Goes over all rows with what they say; gives the group of the last one. `columns` are those that are asked for, all of
 * them unless told.
 */
export function readRows(
  bytes: Buffer,
  form: BlockForm,
  memory: Memory,
  visit: VisitTokens,
  columns?: readonly number[],
): number {
  const tokens: (Token | null)[] = []
  let number = 0
  return scanRows(bytes, form, ({ group, codes, starts }) => {
    const fields = fieldsOf(form, group)
    const first = form.firstPlace(group)
    for (const [field, column] of fields.entries()) {
      const habit = form.forms[column]?.habit
      if (habit === 'free' || columns?.includes(column) === false) continue
      const place = first + column
      const [code, start] = [codes[field] ?? 0, starts[field] ?? 0]
      tokens[field] =
        habit === 'near'
          ? recallNear(memory, place, bytes, code, start)
          : recallAgain(memory.recent[place] ?? [], bytes, code, start)
    }
    visit(number, group, (column) => {
      const field = fields.indexOf(column)
      if (field < 0) return form.commonOf(group, column) ?? null
      if (form.forms[column]?.habit !== 'free') return tokens[field] ?? null
      return codes[field] === NULL ? null : numberAt(bytes, starts[field] ?? 0, codes[field] ?? 0)
    })
    number += 1
  })
}

function recallNear(
  { near }: Memory,
  place: number,
  bytes: Buffer,
  code: number,
  start: number,
): Token | null {
  if (code === NULL) return null
  const value = BigInt.asIntN(64, (near[place] ?? 0n) + unzigzag(numberAt(bytes, start, code)))
  near[place] = value
  return value
}

function recallAgain(recent: Token[], bytes: Buffer, code: number, start: number): Token | null {
  if (code === NULL) return null
  const isThere = code >= RECENT && code < RECENT + MOST_RECENT
  const token = isThere ? (recent[code - RECENT] ?? 0n) : tokenAt(bytes, start, code)
  remember(recent, token)
  return token
}

function tokenAt(bytes: Buffer, start: number, code: number): Token {
  if (code <= MOST_NUMBER) return numberAt(bytes, start, code)
  const head = code === TEXT ? 1 : 4
  return bytes.toString('latin1', start + head, start + lengthAt(bytes, start, code))
}

/**
 * Sums columns of amounts over the rows whose group is marked, and calls `visit` for each of them.
 * Shape: one sum for each of `columns`.
 */
export function sumRows(
  bytes: Buffer,
  form: BlockForm,
  isIn: Uint8Array,
  columns: readonly number[],
  visit?: (group: number, amountOf: (column: number) => bigint) => void,
): readonly bigint[] {
  const sums = columns.map(() => 0n)
  scanRows(bytes, form, ({ group, codes, starts }) => {
    if (isIn[group] !== 1) return
    const amountOf = (column: number): bigint => {
      const field = form.fieldOf(group, column)
      if (field < 0) return (form.commonOf(group, column) as bigint | undefined) ?? 0n
      const code = codes[field] ?? 0
      return code === NULL ? 0n : numberAt(bytes, starts[field] ?? 0, code)
    }
    for (let index = 0; index < columns.length; index += 1) {
      const amount = amountOf(columns[index] ?? 0)
      if (amount !== 0n) sums[index] = (sums[index] ?? 0n) + amount
    }
    visit?.(group, amountOf)
  })
  return sums
}
