import { plainDecimal } from './decimal.ts'
import { int32At, longAt } from './typed-at.ts'

/** Values of a column. Subclasses use the byte order of Arrow, which is that of every processor that Node supports. An array also qualifies. */
export interface Vector<T> {
  readonly length: number
  at(row: number): T | null | undefined
  /** Rows `first` up to but not including `end`. */
  slice(first: number, end: number): Vector<T>
}

/** 1 for each row with a value, otherwise 0; undefined if all rows have one. */
export type Valid = Uint8Array | undefined

export class Constant<T> {
  readonly value: T

  constructor(value: T) {
    this.value = value
  }

  at(_row: number): T {
    return this.value
  }
}

/** Integers of 32 bits. */
export class Integers implements Vector<number> {
  readonly items: Int32Array
  readonly valid: Valid

  constructor(items: Int32Array, valid: Valid) {
    this.items = items
    this.valid = valid
  }

  get length(): number {
    return this.items.length
  }

  at(row: number): number | null {
    return this.valid?.[row] === 0 ? null : int32At(this.items, row)
  }

  slice(first: number, end: number): Integers {
    return new Integers(this.items.subarray(first, end), this.valid?.subarray(first, end))
  }
}

/** Integers of 64 bits. */
export class Longs implements Vector<bigint> {
  readonly items: BigInt64Array
  readonly valid: Valid

  constructor(items: BigInt64Array, valid: Valid) {
    this.items = items
    this.valid = valid
  }

  get length(): number {
    return this.items.length
  }

  at(row: number): bigint | null {
    return this.valid?.[row] === 0 ? null : longAt(this.items, row)
  }

  slice(first: number, end: number): Longs {
    return new Longs(this.items.subarray(first, end), this.valid?.subarray(first, end))
  }

  isConstant(): boolean {
    const { buffer, byteOffset, length } = this.items
    if (this.valid !== undefined || length === 0) return false
    const words = new Int32Array(buffer, byteOffset, length * 2)
    for (let word = 2; word < words.length; word += 1) if (words[word] !== words[word - 2]) return false
    return true
  }
}

/** 16-bit limbs of a wide integer, lowest first: products of two fit into 32 bits. */
export const LIMBS = 8

/** 128-bit integers in two's complement, `LIMBS` limbs each; a null is 0. */
export class Wides implements Vector<bigint> {
  readonly limbs: Uint16Array
  readonly valid: Valid

  constructor(limbs: Uint16Array, valid: Valid) {
    this.limbs = limbs
    this.valid = valid
  }

  get length(): number {
    return this.limbs.length / LIMBS
  }

  at(row: number): bigint | null {
    if (this.valid?.[row] === 0) return null
    const { buffer, byteOffset } = this.limbs
    const view = new DataView(buffer, byteOffset + row * LIMBS * 2, LIMBS * 2)
    return (view.getBigInt64(8, true) << 64n) | view.getBigUint64(0, true)
  }

  isNull(row: number): boolean {
    return this.valid?.[row] === 0
  }

  slice(first: number, end: number): Wides {
    return new Wides(this.limbs.subarray(first * LIMBS, end * LIMBS), this.valid?.subarray(first, end))
  }
}

/** Decimals in units of 10^-scale. Each reads as plain text without needless zeros. */
export class Decimals implements Vector<string> {
  readonly units: Wides
  readonly scale: number

  constructor(units: Wides, scale: number) {
    this.units = units
    this.scale = scale
  }

  get length(): number {
    return this.units.length
  }

  at(row: number): string | null {
    const units = this.units.at(row)
    return units === null ? null : plainDecimal(units, this.scale)
  }

  slice(first: number, end: number): Decimals {
    return new Decimals(this.units.slice(first, end), this.scale)
  }
}
