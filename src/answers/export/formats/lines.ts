import { itemAt } from '../../../base/values/item-at.ts'
import { Constant } from '../../../base/values/vector.ts'
import type { FlatBatch, FlatValue, FlatValues } from './flat-batch.ts'
import { copyWords, Pen, type PenStyle, wordsOf } from './pens.ts'
import { textOf } from './text-of.ts'
import type { ValueType } from './value-types.ts'

export interface LineCell {
  /** Text in front of its value. */
  readonly before: string
  readonly type: ValueType
  readonly style: PenStyle
}

const BLOCK_BYTES = 65_536
/** Lines that a block of long lines has room for. */
const LEAST_LINES = 4

/** Writes the lines of batches into blocks of some 64 KiB. Text common to all lines of a batch is made once. */
export async function* writeLines(
  cells: readonly LineCell[],
  end: string,
  batches: AsyncIterable<FlatBatch>,
): AsyncGenerator<Uint8Array> {
  let out = Buffer.allocUnsafeSlow(BLOCK_BYTES)
  let first = 0
  for await (const { rows, columns } of batches) {
    const line = new Line(cells, end, columns)
    for (let row = 0; row < rows; ) {
      if (first + line.most > out.length) {
        out = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, line.most * LEAST_LINES))
        first = 0
      }
      const at = line.write(out, first, row, rows)
      yield out.subarray(first, at)
      first = at
      row = line.next
    }
  }
}

interface Varying {
  /** Text in front of its value, and the number of its bytes. */
  readonly before: Int32Array
  readonly beforeBytes: number
  readonly pen: Pen
}

/** The lines of a batch. */
class Line {
  /** Upper bound of the bytes of a line. */
  readonly most: number
  /** The first row that is not written yet. */
  next = 0
  readonly #varying: readonly Varying[]
  readonly #last: Int32Array
  readonly #lastBytes: number

  constructor(cells: readonly LineCell[], end: string, columns: readonly FlatValues[]) {
    const varying: Varying[] = []
    let common = ''
    for (const [index, { before, type, style }] of cells.entries()) {
      const values = itemAt(columns, index)
      common += before
      if (values instanceof Constant) common += cellWriter(type, style)(values.value)
      else {
        const pen = new Pen(type, values, style)
        common += pen.around
        varying.push({ before: wordsOf(common), beforeBytes: Buffer.byteLength(common), pen })
        common = pen.around
      }
    }
    common += end
    this.#varying = varying
    this.#last = wordsOf(common)
    this.#lastBytes = Buffer.byteLength(common)
    const ofCells = varying.reduce((sum, { beforeBytes, pen }) => sum + beforeBytes + pen.most, 0)
    // The last copy of words may end three bytes later.
    this.most = ofCells + this.#lastBytes + 4
  }

  /** Writes lines from a row up to another, while they fit. Returns the offset behind them. */
  write(out: Buffer, first: number, from: number, to: number): number {
    const view = new DataView(out.buffer, out.byteOffset, out.length)
    const varying = this.#varying
    const limit = out.length - this.most
    let [at, row] = [first, from]
    for (; row < to && at <= limit; row += 1) {
      for (let index = 0; index < varying.length; index += 1) {
        const { before, beforeBytes, pen } = varying[index] as Varying
        at = pen.write(view, copyWords(before, beforeBytes, view, at), row)
      }
      at = copyWords(this.#last, this.#lastBytes, view, at)
    }
    this.next = row
    return at
  }
}

/** Returns a function that writes a value as the text of a cell. */
export function cellWriter(
  type: ValueType,
  { none, isQuoted, escapes, decimalMark }: PenStyle,
): (value: FlatValue) => string {
  const plain =
    type.as === 'text' ? (value: NonNullable<FlatValue>) => escapes.write(String(value)) : textOf(type)
  const hasComma = decimalMark === ',' && type.as === 'decimal'
  const write = hasComma ? (value: NonNullable<FlatValue>) => plain(value).replace('.', ',') : plain
  return (value) => {
    if (value === null) return none
    const text = write(value)
    return isQuoted ? `"${text}"` : text
  }
}
