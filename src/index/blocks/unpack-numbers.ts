import { uint32At } from '../../base/values/typed-at.ts'
import { bitsAt } from './bits.ts'

/** Numbers of 64 bits as two words each, the lower first. BigInt arithmetic takes ten times as long. */
export type Halves = Uint32Array

/**
 * Packings of a column in a block. least: differences from the least number, in one width. own: each number in its own width,
 * without its highest bit. steps: differences of each step from the least step, in one width.
 * ownSteps: steps with the sign in the lowest bit, each in its own width.
 */
export const methods = ['least', 'own', 'steps', 'ownSteps'] as const

export const METHOD_BITS = 2
/** Bits of a width, and of the length of a single number. */
export const WIDTH_BITS = 7

/** A position in packed numbers. */
export interface BitCursor {
  readonly words: Uint32Array
  bit: number
}

/** Reads `count` packed numbers and advances the cursor. */
export function unpackNumbers(cursor: BitCursor, count: number): Halves {
  const values = new Uint32Array(count * 2)
  unpackInto(values, cursor, count)
  return values
}

/** Reads into zeroed memory of at least `count` numbers. */
export function unpackInto(values: Halves, cursor: BitCursor, count: number): void {
  const end = count * 2
  const method = methods[take(cursor, METHOD_BITS)]
  const [low, high] = takeLong(cursor)
  if (method === 'own') takeOwnWidths(cursor, values, 0, end)
  else if (method === 'least') {
    takeOneWidth(cursor, values, 0, end)
    if (low !== 0 || high !== 0) addToEach(values, end, low, high)
  } else if (method === 'steps') {
    const [firstLow, firstHigh] = takeLong(cursor)
    takeOneWidth(cursor, values, 2, end)
    values[0] = firstLow
    values[1] = firstHigh
    addUp(values, end, low, high)
  } else {
    takeOwnWidths(cursor, values, 2, end)
    for (let at = 2; at < end; at += 2) unzigzag(values, at)
    values[0] = low
    values[1] = high
    addUp(values, end, 0, 0)
  }
}

const WORD = 2 ** 32

/** Adds a number to each value, modulo 2^64. */
function addToEach(values: Halves, end: number, low: number, high: number): void {
  for (let at = 0; at < end; at += 2) {
    const sum = uint32At(values, at) + low
    values[at] = sum
    values[at + 1] = uint32At(values, at + 1) + high + (sum >= WORD ? 1 : 0)
  }
}

/** Turns steps into their prefix sums, modulo 2^64, and adds a number to each step. */
function addUp(steps: Halves, end: number, low: number, high: number): void {
  let [sumLow, sumHigh] = [uint32At(steps, 0), uint32At(steps, 1)]
  for (let at = 2; at < end; at += 2) {
    const sum = sumLow + uint32At(steps, at) + low
    sumHigh = (sumHigh + uint32At(steps, at + 1) + high + (sum < WORD ? 0 : sum < 2 * WORD ? 1 : 2)) >>> 0
    sumLow = sum >>> 0
    steps[at] = sumLow
    steps[at + 1] = sumHigh
  }
}

function unzigzag(numbers: Halves, at: number): void {
  const [low, high] = [uint32At(numbers, at), uint32At(numbers, at + 1)]
  const sign = -(low & 1)
  numbers[at] = ((low >>> 1) | (high << 31)) ^ sign
  numbers[at + 1] = (high >>> 1) ^ sign
}

export function take(cursor: BitCursor, width: number): number {
  const bits = bitsAt(cursor.words, cursor.bit, width)
  cursor.bit += width
  return bits
}

function takeLong(cursor: BitCursor): readonly [low: number, high: number] {
  const width = take(cursor, WIDTH_BITS)
  return [take(cursor, Math.min(width, 32)) >>> 0, width > 32 ? take(cursor, width - 32) >>> 0 : 0]
}

function takeOneWidth(cursor: BitCursor, values: Halves, first: number, end: number): void {
  const width = take(cursor, WIDTH_BITS)
  if (width === 0) return
  const { words } = cursor
  const low = Math.min(width, 32)
  let { bit } = cursor
  for (let at = first; at < end; at += 2) {
    values[at] = bitsAt(words, bit, low)
    if (width > 32) values[at + 1] = bitsAt(words, bit + 32, width - 32)
    bit += width
  }
  cursor.bit = bit
}

function takeOwnWidths(cursor: BitCursor, values: Halves, first: number, end: number): void {
  const width = take(cursor, WIDTH_BITS)
  if (width === 0) return
  const { words } = cursor
  let widthAt = cursor.bit
  let bit = widthAt + ((end - first) >>> 1) * width
  for (let at = first; at < end; at += 2, widthAt += width) {
    const valueWidth = bitsAt(words, widthAt, width)
    if (valueWidth === 0) continue
    // The highest bit is always set.
    const highest = 1 << ((valueWidth - 1) & 31)
    if (valueWidth <= 32) values[at] = bitsAt(words, bit, valueWidth - 1) | highest
    else {
      values[at] = bitsAt(words, bit, 32)
      values[at + 1] = bitsAt(words, bit + 32, valueWidth - 33) | highest
    }
    bit += valueWidth - 1
  }
  cursor.bit = bit
}
