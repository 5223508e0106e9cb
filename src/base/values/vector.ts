import { plainDecimal } from './decimal.ts'

/**
 * Values of a column side by side, as machines hold them: in the order of bytes of Arrow, which is that of every processor
 * that Node runs on. A list of values can stand for any of them.
 */
export interface Vector<T> {
  readonly length: number
  at(row: number): T | null | undefined
  /** Rows `first` up to but not including `end`. */
  slice(first: number, end: number): Vector<T>
}

/** For each row 1 where it has a value, or 0; undefined when all have one. */
export type Valid = Uint8Array | undefined

/** One value for all rows. */
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
    return this.valid?.[row] === 0 ? null : (this.items[row] as number)
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
    return this.valid?.[row] === 0 ? null : (this.items[row] as bigint)
  }

  slice(first: number, end: number): Longs {
    return new Longs(this.items.subarray(first, end), this.valid?.subarray(first, end))
  }

  /** Whether all rows have one value, and none is null. */
  isConstant(): boolean {
    const { buffer, byteOffset, length } = this.items
    if (this.valid !== undefined || length === 0) return false
    const words = new Int32Array(buffer, byteOffset, length * 2)
    for (let word = 2; word < words.length; word += 1) if (words[word] !== words[word - 2]) return false
    return true
  }
}

/** Pieces of 16 bits in a wide integer, the lowest first: products of two stay within 32 bits. */
export const LIMBS = 8

/** Integers of 128 bits in two's complement, `LIMBS` pieces each; a null is 0. */
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

/** Decimals as whole numbers of units of 10^-scale, in pieces as those of `Wides`. Each is plain text without needless zeros. */
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
