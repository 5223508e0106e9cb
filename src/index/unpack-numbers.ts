import { bitsAt } from './bits.ts'
import { type Halves, METHOD_BITS, methods, WIDTH_BITS } from './packing.ts'

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

/** Adds to a number, modulo 2^64. */
function add(to: Halves, at: number, low: number, high: number): void {
  const sum = (to[at] as number) + low
  to[at] = sum
  to[at + 1] = (to[at + 1] as number) + high + (sum > 0xffffffff ? 1 : 0)
}
