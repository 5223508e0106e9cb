import type { Value } from '../catalog/column.ts'
import type { ColumnCodec, Token } from '../derive/column-codecs.ts'
import type { Vector } from '../derive/vector.ts'
import { LONG_TEXT, NULL, RECENT, TEXT } from './block.ts'
import { type BlockLayout, fieldsOf } from './block-layout.ts'
import { openMemory, readRows } from './block-rows.ts'
import { HeldToken, type ReadToken, tokenReader } from './held-token.ts'
import { LastValues } from './last-values.ts'

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

  /** A number in two halves; returns how many bytes it takes. */
  putHalves(low: number, high: number): number {
    const { bytes, end } = this
    for (let place = 0; place < 4; place += 1) {
      bytes[end + place] = low >>> (place * 8)
      bytes[end + 4 + place] = high >>> (place * 8)
    }
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
  const token = new HeldToken()
  const last = new LastValues(layout.codecs.length * layout.types)
  const known = layout.codecs.map((codec) => [codec, new Map<Value, Token>()] as const)
  let read: ArrivingRows['columns'] | undefined
  let readers: readonly ReadToken[] = []

  /** Rows of many hotspots come in the same columns. */
  function readersOf(columns: ArrivingRows['columns']): readonly ReadToken[] {
    if (columns !== read)
      readers = known.map(([codec, tokens], column) => tokenReader(codec, columns[column], tokens))
    read = columns
    return readers
  }

  /** Returns the code of the token that was read. */
  function putToken(place: number, method: ColumnCodec['method'] | undefined): number {
    if (method === 'delta') last.step(place, token)
    else if (method === 'recent') {
      const recent = last.moveToFront(place, token)
      if (recent >= 0) return RECENT + recent
    }
    if (token.text === undefined) return output.putHalves(token.low, token.high)
    output.reserve(token.text.length + ROW_BYTES(layout.codecs.length))
    return output.putText(token.text)
  }

  return (block, { groups, columns, first: firstRow }) => {
    const memory = block && openMemory(layout)
    let group = memory === undefined ? -1 : readRows(block as Buffer, layout, memory, () => {})
    last.begin(memory)
    const readersOfColumns = readersOf(columns)
    output.end = 0
    for (const [row, own] of groups.entries()) {
      const fields = fieldsOf(layout, own)
      output.reserve(ROW_BYTES(fields.length))
      const head = output.end
      output.end += 1
      const step = own - group
      const length =
        own === layout.after(group) ? 0 : Math.max(1, output.putHalves((step << 1) ^ (step >> 31), 0))
      group = own
      const controls = head + 1 + length
      output.end = controls + (fields.length >>> 1)
      output.bytes.fill(0, controls, output.end)
      output.bytes[head] = length
      const first = layout.firstPlace(group)
      for (let field = 0; field < fields.length; field += 1) {
        const column = fields[field] as number
        const isThere = readersOfColumns[column]?.(firstRow + row, token)
        const code = isThere ? putToken(first + column, layout.codecs[column]?.method) : NULL
        // The first code shares a byte with the length, and each further byte has two.
        const at = field === 0 ? head : controls + ((field - 1) >>> 1)
        output.bytes[at] = (output.bytes[at] as number) | (field % 2 === 1 ? code : code << 4)
      }
    }
    return Buffer.concat([block ?? Buffer.alloc(0), output.bytes.subarray(0, output.end)])
  }
}

const bytesOf = (half: number) => 4 - (Math.clz32(half) >>> 3)
