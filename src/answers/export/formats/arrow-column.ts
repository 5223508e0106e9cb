import { type Data, type DataType, makeData } from 'apache-arrow'
import { Texts } from '../../../base/values/strings.ts'
import { byteAt, int32At } from '../../../base/values/typed-at.ts'
import { Constant, Integers, Longs, type Valid } from '../../../base/values/vector.ts'
import type { FlatColumn } from '../../../catalog/records/flat-columns.ts'
import type { FlatValue, FlatValues } from './flat-batch.ts'
import { refuseWide, repeatValue, type Typed, typed } from './typed.ts'
import { valueTypeOf } from './value-types.ts'

/** Bytes of a value; a boolean has one until its batch is whole. */
const widths = { text: 4, boolean: 1, int32: 4, date: 4, int64: 8, timestamp: 8, uint64: 8, decimal: 16 }
const FIRST_TEXT_BYTES = 65_536

/** The values of a column in a record batch. Its memory is used again for each batch. */
export class ArrowColumn {
  readonly #column: FlatColumn
  readonly #type: DataType
  readonly #width: number
  /** Values, or for texts the ends of the rows before and of each row. */
  readonly #items: Uint8Array
  readonly #ends: Int32Array
  readonly #valid: Uint8Array
  #text: Uint8Array
  #rows = 0
  #nulls = 0
  /** The first rows still have this value from the last batch. */
  #kept: { readonly value: FlatValue; rows: number } | undefined

  constructor(column: FlatColumn, type: DataType, mostRows: number) {
    const { as } = valueTypeOf(column)
    this.#column = column
    this.#type = type
    this.#width = widths[as]
    this.#items = new Uint8Array((mostRows + 1) * this.#width)
    this.#ends = as === 'text' ? new Int32Array(this.#items.buffer) : new Int32Array()
    this.#valid = new Uint8Array(mostRows)
    this.#text = new Uint8Array(as === 'text' ? FIRST_TEXT_BYTES : 0)
  }

  /** Appends rows `first` up to but not including `end`. Errors: see `refuseWide`. */
  append(values: FlatValues, first: number, end: number): void {
    if (values instanceof Constant) this.#repeat(values.value, end - first)
    else {
      const vector = typed(valueTypeOf(this.#column), values)
      this.#cutKept()
      this.#copy(first === 0 && end === vector.length ? vector : vector.slice(first, end))
    }
  }

  /** The rows so far, which are valid until the next `append`; a new batch begins. */
  take(): Data {
    const { rows, nulls } = { rows: this.#rows, nulls: this.#nulls }
    this.#rows = 0
    this.#nulls = 0
    const nullBitmap = nulls === 0 ? undefined : packed(this.#valid.subarray(0, rows))
    const data = { type: this.#type, length: rows, nullCount: nulls, nullBitmap }
    if (this.#ends.length > 0)
      return makeData({ ...data, data: this.#text, valueOffsets: this.#ends.subarray(0, rows + 1) } as never)
    const items = this.#items.subarray(0, rows * this.#width)
    return makeData({
      ...data,
      data: this.#width === 1 ? packed(items) : itemsOf(this.#type, items),
    } as never)
  }

  #repeat(value: FlatValue, rows: number): void {
    const first = this.#rows
    const isKept = this.#kept !== undefined && this.#kept.value === value
    if (isKept && first + rows <= (this.#kept?.rows ?? 0)) {
      this.#rows += rows
      if (value === null) this.#nulls += rows
      return
    }
    this.#cutKept()
    this.#copy(repeatValue(valueTypeOf(this.#column), value, 1))
    this.#repeatLast(rows - 1)
    if (first === 0) this.#kept = { value, rows }
    else if (isKept && this.#kept?.rows === first) this.#kept.rows += rows
  }

  /** Rows from here on are written again. */
  #cutKept(): void {
    if (this.#kept !== undefined) this.#kept.rows = Math.min(this.#kept.rows, this.#rows)
  }

  #copy(vector: Typed): void {
    const { length, valid } = vector
    this.#addValid(valid, length)
    if (vector instanceof Texts) this.#addTexts(vector)
    else if (this.#width === 8 && !(vector instanceof Longs)) this.#addHalves(vector)
    else {
      const items = vector instanceof Integers || vector instanceof Longs ? vector.items : vector.limbs
      const at = this.#rows * this.#width
      if (this.#width === 1) this.#items.set(items as Int32Array, at)
      else this.#items.set(new Uint8Array(items.buffer, items.byteOffset, items.byteLength), at)
    }
    this.#rows += length
  }

  #addValid(valid: Valid, rows: number): void {
    if (valid === undefined) this.#valid.fill(1, this.#rows, this.#rows + rows)
    else {
      this.#valid.set(valid, this.#rows)
      for (const bit of valid) this.#nulls += 1 - bit
    }
  }

  #addTexts({ bytes, offsets }: Texts): void {
    const first = int32At(offsets, 0)
    const start = int32At(this.#ends, this.#rows)
    const end = int32At(offsets, offsets.length - 1)
    this.#makeRoom(start, start + end - first)
    this.#text.set(bytes.subarray(first, end), start)
    for (let row = 1; row < offsets.length; row += 1)
      this.#ends[this.#rows + row] = int32At(offsets, row) - first + start
  }

  /** Room for texts up to an end; the first bytes are kept. */
  #makeRoom(kept: number, end: number): void {
    if (end <= this.#text.length) return
    const longer = new Uint8Array(end * 2)
    longer.set(this.#text.subarray(0, kept))
    this.#text = longer
  }

  #repeatLast(rows: number): void {
    const last = this.#rows - 1
    const bit = byteAt(this.#valid, last)
    this.#valid.fill(bit, this.#rows, this.#rows + rows)
    this.#nulls += rows * (1 - bit)
    if (this.#ends.length > 0) {
      const [start, end] = [int32At(this.#ends, last), int32At(this.#ends, this.#rows)]
      this.#makeRoom(end, end + (end - start) * rows)
      repeatBytes(this.#text, start, end, rows)
      for (let row = 1; row <= rows; row += 1) this.#ends[this.#rows + row] = end + (end - start) * row
    } else repeatBytes(this.#items, last * this.#width, this.#rows * this.#width, rows)
    this.#rows += rows
  }

  /** The lower halves of wide integers. */
  #addHalves(vector: Exclude<Typed, Texts>): void {
    refuseWide(this.#column, vector)
    if (vector instanceof Integers || vector instanceof Longs) return
    const { buffer, byteOffset, length } = vector.limbs
    const from = new Int32Array(buffer, byteOffset, length / 2)
    const to = new Int32Array(this.#items.buffer, this.#rows * 8)
    for (let word = 0; word < from.length; word += 4) {
      to[word >> 1] = int32At(from, word)
      to[(word >> 1) + 1] = int32At(from, word + 1)
    }
  }
}

/** Repeats the bytes from `first` to `end` behind themselves, by copies that double. */
function repeatBytes(bytes: Uint8Array, first: number, end: number, times: number): void {
  const last = end + (end - first) * times
  for (let to = end; to < last; to += to - first) bytes.copyWithin(to, first, Math.min(to, first + last - to))
}

/** Packs one bit per byte, lowest first. */
function packed(bytes: Uint8Array): Uint8Array {
  const bits = new Uint8Array((bytes.length + 7) >> 3)
  for (let index = 0; index < bytes.length; index += 1)
    bits[index >> 3] = byteAt(bits, index >> 3) | (byteAt(bytes, index) << (index & 7))
  return bits
}

function itemsOf({ ArrayType }: DataType, { buffer, byteOffset, byteLength }: Uint8Array) {
  return new ArrayType(buffer, byteOffset, byteLength / ArrayType.BYTES_PER_ELEMENT)
}
