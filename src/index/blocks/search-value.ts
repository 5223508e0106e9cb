import { byteAt, uint32At } from '../../base/values/typed-at.ts'
import type { Value } from '../../catalog/column.ts'
import { headOf, type TextList } from './text-list.ts'

/** A search value: numbers compare by size, texts by bytes. */
export type SearchValue = SearchNumber | SearchText

/** A number and its halves of 32 bits. The lower half is unsigned, the higher one infinite beyond 64 bits. */
export class SearchNumber {
  readonly value: bigint
  readonly low: number
  readonly high: number

  constructor(value: bigint) {
    this.value = value
    this.low = Number(value & 0xffffffffn)
    const infinite = value > 0n ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
    this.high = BigInt.asIntN(64, value) === value ? Number(value >> 32n) : infinite
  }

  /** The number as a double, for the estimate of a position. */
  get approximate(): number {
    return toDouble(this.high, this.low)
  }
}

/** A text with its bytes and its head. */
export class SearchText {
  readonly bytes: Buffer
  readonly head: number

  constructor(text: string) {
    this.bytes = Buffer.from(text)
    this.head = headOf(this.bytes, 0, this.bytes.length)
  }

  get approximate(): number {
    return approximateRank(this.head)
  }
}

export const toDouble = (high: number, low: number) => high * 2 ** 32 + low

const LETTERS_AND_DIGITS = Buffer.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
/** The number of letters and digits below each byte. Keys consist of these, so their ranks are evenly spread. */
const RANKS = Uint8Array.from(
  { length: 256 },
  (_, byte) => LETTERS_AND_DIGITS.filter((letter) => letter < byte).length,
)

/** Approximates a text by its head. */
export function approximateRank(head: number): number {
  let rank = 0
  for (let shift = 24; shift >= 0; shift -= 8) rank = rank * 63 + byteAt(RANKS, (head >>> shift) & 255)
  return rank
}

export function toSearchValue(value: NonNullable<Value>): SearchValue {
  const isNumber = typeof value === 'bigint' || typeof value === 'number'
  return isNumber ? new SearchNumber(BigInt(value)) : new SearchText(String(value))
}

/** Errors: TypeError for a number and a text. */
export function compareSearchValues(a: SearchValue, b: SearchValue): number {
  if (a instanceof SearchNumber && b instanceof SearchNumber)
    return a.value < b.value ? -1 : a.value > b.value ? 1 : 0
  if (a instanceof SearchNumber || b instanceof SearchNumber)
    throw new TypeError('a text is compared with a number')
  return Buffer.compare(a.bytes, b.bytes)
}

/** Compares a text of a list with a search value. Their heads mostly differ already. */
export function compareText({ bytes, places }: TextList, index: number, other: SearchText): number {
  const difference = uint32At(places, index * 2) - other.head
  if (difference !== 0) return difference
  return compareSlice(bytes, uint32At(places, index * 2 + 1), uint32At(places, index * 2 + 3), other.bytes)
}

/** Compares bytes `start` to `end` with `other`. For short keys a loop is faster than `Buffer.compare`. */
function compareSlice(bytes: Uint8Array, start: number, end: number, other: Uint8Array): number {
  const length = end - start
  for (let at = 0; at < length && at < other.length; at += 1) {
    const difference = byteAt(bytes, start + at) - byteAt(other, at)
    if (difference !== 0) return difference
  }
  return length - other.length
}
