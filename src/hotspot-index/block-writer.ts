import { bigintOf, type Value } from '../catalog/column.ts'
import { LONG_TEXT, NULL, RECENT, TEXT } from './block.ts'
import { type BlockLayout, fieldsOf } from './block-layout.ts'
import { type Memory, moveToFront, openMemory, readRows, recentOf } from './block-rows.ts'
import { zigzag } from './column-codecs.ts'

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

export function openBlockWriter(layout: BlockLayout): AppendRows {
  let bytes: Buffer = Buffer.alloc(SHORTEST)
  let end = 0

  function reserve(more: number): void {
    if (end + more <= bytes.length) return
    bytes = Buffer.concat([bytes, Buffer.alloc(Math.max(more, bytes.length))])
  }

  /** Returns how many bytes it takes. */
  function putNumber(number: bigint): number {
    bytes.writeBigUInt64LE(number, end)
    const [low, high] = [bytes.readUInt32LE(end), bytes.readUInt32LE(end + 4)]
    const length = high === 0 ? bytesOf(low) : 4 + bytesOf(high)
    end += length
    return length
  }

  function putText(text: string): number {
    reserve(text.length + ROW_BYTES(layout.codecs.length))
    const isShort = text.length <= 255
    end = isShort ? bytes.writeUInt8(text.length, end) : bytes.writeUInt32LE(text.length, end)
    end += bytes.write(text, end, 'latin1')
    return isShort ? TEXT : LONG_TEXT
  }

  function putValue(memory: Memory, first: number, column: number, value: Value): number {
    const own = layout.codecs[column]
    if (value === null || own === undefined) return NULL
    const token = own.toToken(value)
    if (own.method === 'plain') return putNumber(bigintOf(token))
    const place = first + column
    if (own.method === 'delta') {
      const step = BigInt.asIntN(64, bigintOf(token) - (memory.previous[place] ?? 0n))
      memory.previous[place] = bigintOf(token)
      return putNumber(zigzag(step))
    }
    const known = moveToFront(recentOf(memory, place), token)
    if (known >= 0) return RECENT + known
    return typeof token === 'string' ? putText(token) : putNumber(token)
  }

  return (block, { groups, columns }) => {
    const memory = openMemory(layout)
    let group = block === undefined ? -1 : readRows(block, layout, memory, () => {})
    end = 0
    for (const [row, own] of groups.entries()) {
      const fields = fieldsOf(layout, own)
      reserve(ROW_BYTES(fields.length))
      const head = end
      end += 1
      const length = own === layout.after(group) ? 0 : Math.max(1, putNumber(zigzag(BigInt(own - group))))
      if (length > 0) end = head + 1 + length
      group = own
      const controls = end
      end += fields.length >>> 1
      bytes.fill(0, controls, end)
      const first = layout.firstPlace(group)
      for (const [field, column] of fields.entries()) {
        const code = putValue(memory, first, column, columns[column]?.[row] ?? null)
        if (field === 0) bytes[head] = length | (code << 4)
        else {
          const at = controls + ((field - 1) >>> 1)
          bytes[at] = (bytes[at] ?? 0) | (field % 2 === 1 ? code : code << 4)
        }
      }
      if (fields.length === 0) bytes[head] = length
    }
    return Buffer.concat([block ?? Buffer.alloc(0), bytes.subarray(0, end)])
  }
}

const bytesOf = (half: number) => 4 - (Math.clz32(half) >>> 3)
