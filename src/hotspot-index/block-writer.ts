import { bigintOf, type Value } from '../catalog/column.ts'
import { type Token, zigzag } from '../derive/column-codecs.ts'
import { type Vector, Wides } from '../derive/vector.ts'
import { LONG_TEXT, NULL, RECENT, TEXT } from './block.ts'
import { type BlockLayout, fieldsOf } from './block-layout.ts'
import { type Memory, moveToFront, openMemory, readRows, recentOf } from './block-rows.ts'

/** Rows of one hotspot in columns, in the order in which they are written. */
export interface ArrivingRows {
  /** The group of each row. */
  readonly groups: readonly number[]
  /** Values by the numbers of their columns; those stored with no row may be missing. */
  readonly columns: readonly (Vector<Value> | undefined)[]
  /** Where the values of the first row are in the columns. */
  readonly first: number
}

/** Returns a block with more rows after its own. */
export type AppendRows = (block: Buffer | undefined, rows: ArrivingRows) => Buffer

const SHORTEST = 4096
/** Tokens of so many values of a column are known at a time. */
const MOST_TOKENS = 10_000
/** Bytes of the longest row without texts: the group, and for each column four bits and a number. */
const ROW_BYTES = (columns: number) => 9 + columns * 9

/** Bytes that are written one after the other; the buffer grows. */
class Output {
  bytes: Buffer = Buffer.alloc(SHORTEST)
  end = 0

  reserve(more: number): void {
    if (this.end + more <= this.bytes.length) return
    this.bytes = Buffer.concat([this.bytes, Buffer.alloc(Math.max(more, this.bytes.length))])
  }

  /** Returns how many bytes it takes. */
  putNumber(number: bigint): number {
    return this.putHalves(Number(number & 0xffffffffn), Number(number >> 32n))
  }

  /** The same of a number in two halves. */
  putHalves(low: number, high: number): number {
    const { bytes, end } = this
    bytes.writeUInt32LE(low, end)
    bytes.writeUInt32LE(high, end + 4)
    const length = high === 0 ? bytesOf(low) : 4 + bytesOf(high)
    this.end += length
    return length
  }

  /** Returns its code. */
  putText(text: string): number {
    const { bytes, end } = this
    const isShort = text.length <= 255
    this.end = isShort ? bytes.writeUInt8(text.length, end) : bytes.writeUInt32LE(text.length, end)
    this.end += bytes.write(text, this.end, 'latin1')
    return isShort ? TEXT : LONG_TEXT
  }
}

export function openBlockWriter(layout: BlockLayout): AppendRows {
  const output = new Output()

  const tokens = layout.codecs.map(() => new Map<Value, Token>())

  /** The same values come again and again. */
  function tokenOf(column: number, value: NonNullable<Value>, toToken: (value: NonNullable<Value>) => Token) {
    if (typeof value === 'object') return toToken(value)
    const known = tokens[column] as Map<Value, Token>
    const token = known.get(value) ?? toToken(value)
    if (known.size === MOST_TOKENS) known.clear()
    known.set(value, token)
    return token
  }

  /** Returns the code of the value. */
  function putValue(
    memory: Memory,
    first: number,
    column: number,
    values: Vector<Value> | undefined,
    row: number,
  ): number {
    const own = layout.codecs[column]
    if (own?.method === 'plain' && values instanceof Wides)
      return values.isNull(row) ? NULL : output.putHalves(values.half(row, 0), values.half(row, 1))
    const value = values?.at(row) ?? null
    if (value === null || own === undefined) return NULL
    if (own.method === 'plain') return output.putNumber(bigintOf(own.toToken(value)))
    const token = own.method === 'recent' ? tokenOf(column, value, own.toToken) : own.toToken(value)
    const place = first + column
    if (own.method === 'delta') {
      const step = BigInt.asIntN(64, bigintOf(token) - (memory.previous[place] ?? 0n))
      memory.previous[place] = bigintOf(token)
      return output.putNumber(zigzag(step))
    }
    const known = moveToFront(recentOf(memory, place), token)
    if (known >= 0) return RECENT + known
    if (typeof token !== 'string') return output.putNumber(token)
    output.reserve(token.length + ROW_BYTES(layout.codecs.length))
    return output.putText(token)
  }

  return (block, { groups, columns, first: firstRow }) => {
    const memory = openMemory(layout)
    let group = block === undefined ? -1 : readRows(block, layout, memory, () => {})
    output.end = 0
    for (const [row, own] of groups.entries()) {
      const fields = fieldsOf(layout, own)
      output.reserve(ROW_BYTES(fields.length))
      const head = output.end
      output.end += 1
      const step = zigzag(BigInt(own - group))
      const length = own === layout.after(group) ? 0 : Math.max(1, output.putNumber(step))
      group = own
      const controls = head + 1 + length
      output.end = controls + (fields.length >>> 1)
      output.bytes.fill(0, controls, output.end)
      output.bytes[head] = length
      const first = layout.firstPlace(group)
      for (const [field, column] of fields.entries()) {
        const code = putValue(memory, first, column, columns[column], firstRow + row)
        // The first code shares a byte with the length, and each further byte has two.
        const at = field === 0 ? head : controls + ((field - 1) >>> 1)
        output.bytes[at] = (output.bytes[at] ?? 0) | (field % 2 === 1 ? code : code << 4)
      }
    }
    return Buffer.concat([block ?? Buffer.alloc(0), output.bytes.subarray(0, output.end)])
  }
}

const bytesOf = (half: number) => 4 - (Math.clz32(half) >>> 3)
