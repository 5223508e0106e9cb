import { int32At } from './typed-at.ts'
import type { Valid, Vector } from './vector.ts'

/** Contiguous bytes of all rows. */
export class Bytes implements Vector<Uint8Array> {
  readonly bytes: Uint8Array
  /** Start of each row, and the end of the last one. */
  readonly offsets: Int32Array
  readonly valid: Valid

  constructor(bytes: Uint8Array, offsets: Int32Array, valid: Valid) {
    this.bytes = bytes
    this.offsets = offsets
    this.valid = valid
  }

  get length(): number {
    return this.offsets.length - 1
  }

  /** Returns the bytes of a row; they share memory with the vector. */
  at(row: number): Buffer | null {
    if (this.valid?.[row] === 0) return null
    const { buffer, byteOffset } = this.bytes
    const first = int32At(this.offsets, row)
    return Buffer.from(buffer, byteOffset + first, int32At(this.offsets, row + 1) - first)
  }

  slice(first: number, end: number): Bytes {
    return new Bytes(this.bytes, this.offsets.subarray(first, end + 1), this.valid?.subarray(first, end))
  }
}

/** Texts in UTF-8. */
export class Texts implements Vector<string> {
  readonly utf8: Bytes

  constructor(bytes: Uint8Array, offsets: Int32Array, valid: Valid) {
    this.utf8 = new Bytes(bytes, offsets, valid)
  }

  get bytes(): Uint8Array {
    return this.utf8.bytes
  }

  get offsets(): Int32Array {
    return this.utf8.offsets
  }

  get valid(): Valid {
    return this.utf8.valid
  }

  get length(): number {
    return this.utf8.length
  }

  at(row: number): string | null {
    return this.utf8.at(row)?.toString() ?? null
  }

  slice(first: number, end: number): Texts {
    const { bytes, offsets, valid } = this.utf8.slice(first, end)
    return new Texts(bytes, offsets, valid)
  }
}
