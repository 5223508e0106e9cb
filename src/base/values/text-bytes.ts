import { formatAmount } from './decimal.ts'
import type { Whole } from './exact-sums.ts'

/** Bytes of a piece; the last one may be shorter. */
export const PIECE_BYTES = 65_536
/** Spare bytes after a piece, for the row that crosses its end. */
const MORE_BYTES = 8192

const [ZERO, POINT, QUOTE] = [48, 46, 34]
const EIGHT_DIGITS = 1e8
const UNITS = Array.from({ length: 9 }, (_, digits) => 10 ** digits)

/** A growing UTF-8 buffer that writes numbers without making strings. */
export class TextBytes {
  #bytes = Buffer.allocUnsafeSlow(PIECE_BYTES + MORE_BYTES)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Removes the bytes so far, at most those of one piece, and returns them. */
  take(): Uint8Array {
    const end = Math.min(this.#length, PIECE_BYTES)
    const [bytes, length] = [this.#bytes, this.#length - end]
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(length, PIECE_BYTES) + MORE_BYTES)
    bytes.copy(this.#bytes, 0, end, this.#length)
    this.#length = length
    return bytes.subarray(0, end)
  }

  toString(): string {
    return this.#bytes.toString('utf8', 0, this.#length)
  }

  text(text: string): void {
    this.#reserve(3 * text.length)
    this.#length += this.#bytes.write(text, this.#length)
  }

  /** Appends UTF-8. */
  utf8(text: Uint8Array): void {
    this.#reserve(text.length)
    this.#bytes.set(text, this.#length)
    this.#length += text.length
  }

  whole(value: Whole): void {
    if (typeof value === 'bigint' || value < 0) this.text(value.toString())
    else {
      this.#reserve(16)
      if (value < EIGHT_DIGITS) this.#digits(value, countDigits(value))
      else {
        const head = quotient(value, EIGHT_DIGITS)
        this.#digits(head, countDigits(head))
        this.#digits(value - head * EIGHT_DIGITS, 8)
      }
    }
  }

  /** Appends a quoted decimal like `formatAmount`. */
  amount(units: Whole, decimals: number): void {
    const unit = UNITS[decimals]
    if (typeof units === 'bigint' || units < 0 || unit === undefined || unit === 1) {
      this.text(`"${formatAmount(BigInt(units), decimals)}"`)
      return
    }
    const head = quotient(units, unit)
    this.#reserve(32)
    this.#bytes[this.#length++] = QUOTE
    this.whole(head)
    this.#bytes[this.#length++] = POINT
    this.#fraction(units - head * unit, decimals)
    this.#bytes[this.#length++] = QUOTE
  }

  /** Appends a quoted decimal with 16 fraction digits, from units of 10^-8 and the rest in units of 10^-16. */
  longAmount(units: number, rest: number): void {
    const head = quotient(units, EIGHT_DIGITS)
    this.#reserve(40)
    this.#bytes[this.#length++] = QUOTE
    this.whole(head)
    this.#bytes[this.#length++] = POINT
    if (rest === 0) this.#fraction(units - head * EIGHT_DIGITS, 8)
    else {
      this.#digits(units - head * EIGHT_DIGITS, 8)
      this.#fraction(rest, 8)
    }
    this.#bytes[this.#length++] = QUOTE
  }

  /** Appends fraction digits without trailing zeros; at least one. */
  #fraction(value: number, digits: number): void {
    // Below 10^8 integer arithmetic applies.
    let short = value | 0
    let count = digits
    while (count > 1 && short % 10 === 0) {
      short = (short / 10) | 0
      count -= 1
    }
    this.#digits(short, count)
  }

  #digits(value: number, count: number): void {
    const bytes = this.#bytes
    let remaining = value | 0
    for (let index = this.#length + count - 1; index >= this.#length; index -= 1) {
      const next = (remaining / 10) | 0
      bytes[index] = ZERO + remaining - next * 10
      remaining = next
    }
    this.#length += count
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const grown = Buffer.allocUnsafeSlow(2 * (this.#length + more))
    this.#bytes.copy(grown, 0, 0, this.#length)
    this.#bytes = grown
  }
}

/** Divides integers exactly, although a quotient of doubles may be rounded up. */
function quotient(value: number, by: number): number {
  const rounded = Math.floor(value / by)
  return rounded * by > value ? rounded - 1 : rounded
}

function countDigits(value: number): number {
  let count = 1
  while (count < 9 && value >= (UNITS[count] ?? 0)) count += 1
  return count
}

/** Multiplies integers; the product is in multiples of 10^8 and the rest. Undefined if a part is not an exact double. */
export function multiplied(a: number, b: number): readonly [units: number, rest: number] | undefined {
  const [aHead, bHead] = [quotient(a, EIGHT_DIGITS), quotient(b, EIGHT_DIGITS)]
  const [aRest, bRest] = [a - aHead * EIGHT_DIGITS, b - bHead * EIGHT_DIGITS]
  const high = quotient(bRest, 10_000)
  const ofHigh = aRest * high
  const carried = quotient(ofHigh, 10_000)
  const low = aRest * (bRest - high * 10_000) + (ofHigh - carried * 10_000) * 10_000
  const carry = quotient(low, EIGHT_DIGITS)
  const parts = [aHead * bHead * EIGHT_DIGITS, aHead * bRest, aRest * bHead, carried + carry]
  let units = 0
  for (const part of parts) units += part
  return units <= Number.MAX_SAFE_INTEGER ? [units, low - carry * EIGHT_DIGITS] : undefined
}
