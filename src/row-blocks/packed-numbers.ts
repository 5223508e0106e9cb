import { type BitWriter, bitLength, bitsAt } from './bits.ts'

/**
 * The numbers of a column in a block, packed in whichever way takes the fewest bits. They have 64 bits each and are held as two
 * halves, the lower first, since arithmetic with bigint takes ten times as long.
 */
export type Halves = Uint32Array

/**
 * least: what each has above the least of them, all in one width. own: each in its own width, its highest bit left out.
 * steps: what each step from the one before has above the least step, all in one width.
 * ownSteps: steps with their sign in the lowest bit, each in its own width.
 */
const methods = ['least', 'own', 'steps', 'ownSteps'] as const

const METHOD_BITS = 2
const WIDTH_BITS = 7

interface Packing {
  readonly method: (typeof methods)[number]
  readonly base: readonly [low: number, high: number]
  readonly numbers: Halves
  readonly widths: Uint8Array
  /** The width of all numbers, or of all widths. */
  readonly width: number
  readonly bits: number
}

/** Writes numbers, of which there is at least one. */
export function packNumbers(writer: BitWriter, values: Halves): void {
  writePacking(writer, bestPacking(values), values)
}

function bestPacking(values: Halves): Packing {
  if (isConstant(values)) return inOneWidth('least', values, isBelow)
  const steps = stepsOf(values)
  const first: Packing['base'] = [values[0] as number, values[1] as number]
  return [
    inOneWidth('least', values, isBelow),
    inOwnWidths('own', [0, 0], values),
    inOneWidth('steps', steps, isBelowSigned),
    inOwnWidths('ownSteps', first, zigzagged(steps)),
  ].reduce((least, one) => (one.bits < least.bits ? one : least))
}

function isConstant(values: Halves): boolean {
  for (let at = 2; at < values.length; at += 1) if (values[at] !== values[at - 2]) return false
  return true
}

function writePacking(writer: BitWriter, best: Packing, values: Halves): void {
  writer.put(methods.indexOf(best.method), METHOD_BITS)
  putLong(writer, ...best.base)
  if (best.method === 'steps') putLong(writer, values[0] as number, values[1] as number)
  writer.put(best.width, WIDTH_BITS)
  if (best.width === 0) return
  const isOwn = best.method === 'own' || best.method === 'ownSteps'
  if (isOwn) for (const width of best.widths) writer.put(width, best.width)
  for (const [place, own] of best.widths.entries()) {
    const width = isOwn ? Math.max(0, own - 1) : best.width
    writer.putWide(best.numbers[place * 2] as number, best.numbers[place * 2 + 1] as number, width)
  }
}

type Compare = (low: number, high: number, thanLow: number, thanHigh: number) => boolean

const isBelow: Compare = (low, high, thanLow, thanHigh) =>
  high === thanHigh ? low < thanLow : high < thanHigh

const isBelowSigned: Compare = (low, high, thanLow, thanHigh) =>
  isBelow(low, (high ^ 0x80000000) >>> 0, thanLow, (thanHigh ^ 0x80000000) >>> 0)

function inOneWidth(method: Packing['method'], values: Halves, isLess: Compare): Packing {
  let [low = 0, high = 0] = values
  for (let at = 2; at < values.length; at += 2) {
    const [ownLow, ownHigh] = [values[at] as number, values[at + 1] as number]
    if (isLess(ownLow, ownHigh, low, high)) [low, high] = [ownLow, ownHigh]
  }
  const numbers = new Uint32Array(values.length)
  for (let at = 0; at < values.length; at += 2)
    subtract(numbers, at, values[at] as number, values[at + 1] as number, low, high)
  const widths = widthsOf(numbers)
  const width = most(widths)
  const extra = method === 'steps' ? 64 : 0
  return {
    method,
    base: [low, high],
    numbers,
    widths,
    width,
    bits: extra + bitLength(low, high) + width * widths.length,
  }
}

function inOwnWidths(method: Packing['method'], base: Packing['base'], numbers: Halves): Packing {
  const widths = widthsOf(numbers)
  const width = bitLength(most(widths), 0)
  let bits = bitLength(...base) + width * widths.length
  for (const own of widths) if (own > 1) bits += own - 1
  return { method, base, numbers, widths, width, bits }
}

function widthsOf(numbers: Halves): Uint8Array {
  const widths = new Uint8Array(numbers.length >>> 1)
  for (let place = 0; place < widths.length; place += 1)
    widths[place] = bitLength(numbers[place * 2] as number, numbers[place * 2 + 1] as number)
  return widths
}

function most(widths: Uint8Array): number {
  let most = 0
  for (const width of widths) if (width > most) most = width
  return most
}

/** Differences modulo 2^64, one fewer than there are values. */
function stepsOf(values: Halves): Halves {
  const steps = new Uint32Array(values.length - 2)
  for (let at = 0; at < steps.length; at += 2)
    subtract(
      steps,
      at,
      ...([values[at + 2], values[at + 3], values[at], values[at + 1]] as [number, number, number, number]),
    )
  return steps
}

function subtract(
  to: Halves,
  at: number,
  low: number,
  high: number,
  lessLow: number,
  lessHigh: number,
): void {
  to[at] = low - lessLow
  to[at + 1] = high - lessHigh - (low < lessLow ? 1 : 0)
}

/** Adds to a number, modulo 2^64. */
function add(to: Halves, at: number, low: number, high: number): void {
  const sum = (to[at] as number) + low
  to[at] = sum
  to[at + 1] = (to[at + 1] as number) + high + (sum > 0xffffffff ? 1 : 0)
}

/** Signed numbers with the sign as the lowest bit. */
function zigzagged(numbers: Halves): Halves {
  const signs = new Uint32Array(numbers.length)
  for (let at = 0; at < numbers.length; at += 2) {
    const [low, high] = [numbers[at] as number, numbers[at + 1] as number]
    const sign = high >> 31
    signs[at] = (low << 1) ^ sign
    signs[at + 1] = ((high << 1) | (low >>> 31)) ^ sign
  }
  return signs
}

/** Where packed numbers are read. */
export interface BitPlace {
  readonly bytes: Uint8Array
  bit: number
}

/** Reads so many packed numbers, and goes on behind them. */
export function unpackNumbers(place: BitPlace, count: number): Halves {
  const values = new Uint32Array(count * 2)
  const method = methods[take(place, METHOD_BITS)]
  const base = takeLong(place)
  if (method === 'own') takeOwnWidths(place, values, 0)
  if (method === 'least') {
    takeOneWidth(place, values, 0)
    if (base[0] !== 0 || base[1] !== 0) for (let at = 0; at < values.length; at += 2) add(values, at, ...base)
  }
  if (method === 'steps') {
    values.set(takeLong(place))
    takeOneWidth(place, values, 2)
    for (let at = 2; at < values.length; at += 2) add(values, at, ...base)
    addUp(values)
  }
  if (method === 'ownSteps') {
    takeOwnWidths(place, values, 2)
    for (let at = 2; at < values.length; at += 2) unzigzag(values, at)
    values.set(base)
    addUp(values)
  }
  return values
}

function addUp(steps: Halves): void {
  for (let at = 2; at < steps.length; at += 2)
    add(steps, at, steps[at - 2] as number, steps[at - 1] as number)
}

function unzigzag(numbers: Halves, at: number): void {
  const [low, high] = [numbers[at] as number, numbers[at + 1] as number]
  const sign = -(low & 1)
  numbers[at] = ((low >>> 1) | (high << 31)) ^ sign
  numbers[at + 1] = (high >>> 1) ^ sign
}

export function take(place: BitPlace, width: number): number {
  const bits = bitsAt(place.bytes, place.bit, width)
  place.bit += width
  return bits
}

function takeWide(place: BitPlace, width: number, values: Halves, at: number): void {
  values[at] = take(place, Math.min(width, 32))
  if (width > 32) values[at + 1] = take(place, width - 32)
}

/** How many bits a number has, then these. */
function putLong(writer: BitWriter, low: number, high: number): void {
  const width = bitLength(low, high)
  writer.put(width, WIDTH_BITS)
  writer.putWide(low, high, width)
}

function takeLong(place: BitPlace): readonly [number, number] {
  const value = new Uint32Array(2)
  takeWide(place, take(place, WIDTH_BITS), value, 0)
  return [value[0] as number, value[1] as number]
}

function takeOneWidth(place: BitPlace, values: Halves, first: number): void {
  const width = take(place, WIDTH_BITS)
  if (width === 0) return
  for (let at = first; at < values.length; at += 2) takeWide(place, width, values, at)
}

function takeOwnWidths(place: BitPlace, values: Halves, first: number): void {
  const width = take(place, WIDTH_BITS)
  if (width === 0) return
  const widths = new Uint8Array(values.length >>> 1)
  for (let number = first >>> 1; number < widths.length; number += 1) widths[number] = take(place, width)
  for (let at = first; at < values.length; at += 2) {
    const own = widths[at >>> 1] as number
    if (own === 0) continue
    takeWide(place, own - 1, values, at)
    // The highest bit is always set.
    const half = own > 32 ? at + 1 : at
    values[half] = (values[half] as number) | (1 << ((own - 1) & 31))
  }
}
