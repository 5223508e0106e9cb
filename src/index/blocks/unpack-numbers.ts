import { bitsAt } from './bits.ts'
import { type Halves, METHOD_BITS, methods, WIDTH_BITS } from './packing.ts'

/** Where packed numbers are read. */
export interface BitPlace {
  readonly words: Uint32Array
  bit: number
}

/** Reads so many packed numbers, and goes on behind them. */
export function unpackNumbers(cursor: BitPlace, count: number): Halves {
  const values = new Uint32Array(count * 2)
  unpackInto(values, cursor, count)
  return values
}

/** The same into memory for at least so many numbers, all of them 0 before. */
export function unpackInto(values: Halves, cursor: BitPlace, count: number): void {
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

/** Adds a number to each, modulo 2^64. */
function addToEach(values: Halves, end: number, low: number, high: number): void {
  for (let at = 0; at < end; at += 2) {
    const sum = (values[at] as number) + low
    values[at] = sum
    values[at + 1] = (values[at + 1] as number) + high + (sum >= WORD ? 1 : 0)
  }
}

/** Makes numbers of the first one and steps, each of which has a number less than it should, modulo 2^64. */
function addUp(steps: Halves, end: number, low: number, high: number): void {
  let [sumLow, sumHigh] = [steps[0] as number, steps[1] as number]
  for (let at = 2; at < end; at += 2) {
    const sum = sumLow + (steps[at] as number) + low
    sumHigh = (sumHigh + (steps[at + 1] as number) + high + (sum < WORD ? 0 : sum < 2 * WORD ? 1 : 2)) >>> 0
    sumLow = sum >>> 0
    steps[at] = sumLow
    steps[at + 1] = sumHigh
  }
}

function unzigzag(numbers: Halves, at: number): void {
  const [low, high] = [numbers[at] as number, numbers[at + 1] as number]
  const sign = -(low & 1)
  numbers[at] = ((low >>> 1) | (high << 31)) ^ sign
  numbers[at + 1] = (high >>> 1) ^ sign
}

export function take(cursor: BitPlace, width: number): number {
  const bits = bitsAt(cursor.words, cursor.bit, width)
  cursor.bit += width
  return bits
}

function takeLong(cursor: BitPlace): readonly [low: number, high: number] {
  const width = take(cursor, WIDTH_BITS)
  return [take(cursor, Math.min(width, 32)) >>> 0, width > 32 ? take(cursor, width - 32) >>> 0 : 0]
}

function takeOneWidth(cursor: BitPlace, values: Halves, first: number, end: number): void {
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

function takeOwnWidths(cursor: BitPlace, values: Halves, first: number, end: number): void {
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
