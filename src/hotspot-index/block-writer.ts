import { bigintOf, type Value } from '../catalog/column.ts'
import { zigzag } from '../derive/column-codecs.ts'
import { LONG_TEXT, NULL, RECENT, TEXT } from './block.ts'
import { type BlockLayout, fieldsOf } from './block-layout.ts'
import { type Memory, moveToFront, openMemory, readRows, recentOf } from './block-rows.ts'

/** Rows of one hotspot in columns, in the order in which they are written. */
export interface ArrivingRows {
  /** The group of each row. */
  readonly groups: readonly number[]
  /** Values by the numbers of their columns; those stored with no row may be missing. */
  readonly columns: readonly (readonly Value[] | undefined)[]
}

/** Returns a block with more rows after its own. */
export type AppendRows = (block: Buffer | undefined, rows: ArrivingRows) => Buffer

const SHORTEST = 4096
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
    const { bytes, end } = this
    bytes.writeBigUInt64LE(number, end)
    const [low, high] = [bytes.readUInt32LE(end), bytes.readUInt32LE(end + 4)]
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

  /** Returns the code of the value. */
  function putValue(memory: Memory, first: number, column: number, value: Value): number {
    const own = layout.codecs[column]
    if (value === null || own === undefined) return NULL
    const token = own.toToken(value)
    if (own.method === 'plain') return output.putNumber(bigintOf(token))
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

  return (block, { groups, columns }) => {
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
        const code = putValue(memory, first, column, columns[column]?.[row] ?? null)
        // The first code shares a byte with the length, and each further byte has two.
        const at = field === 0 ? head : controls + ((field - 1) >>> 1)
        output.bytes[at] = (output.bytes[at] ?? 0) | (field % 2 === 1 ? code : code << 4)
      }
    }
    return Buffer.concat([block ?? Buffer.alloc(0), output.bytes.subarray(0, output.end)])
  }
}

const bytesOf = (half: number) => 4 - (Math.clz32(half) >>> 3)
