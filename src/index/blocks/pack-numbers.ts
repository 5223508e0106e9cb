import { uint32At } from '../../base/values/typed-at.ts'
import { type BitWriter, bitLength } from './bits.ts'
import { type Halves, METHOD_BITS, methods, WIDTH_BITS } from './unpack-numbers.ts'

/** Writes at least one number. Measures each packing and uses the shortest one. */
export function packNumbers(writer: BitWriter, values: Halves): void {
  const ofNumbers = measure(values, false)
  if (ofNumbers.width === 0) {
    writeOneWidth(writer, 'least', values, ofNumbers)
    return
  }
  const ofSteps = measure(values, true)
  const [low, high] = [uint32At(values, 0), uint32At(values, 1)]
  const count = values.length >>> 1
  const bits = [
    bitLength(ofNumbers.low, ofNumbers.high) + ofNumbers.width * count,
    ofNumbers.ownBits,
    64 + bitLength(ofSteps.low, ofSteps.high) + ofSteps.width * (count - 1),
    bitLength(low, high) + ofSteps.ownBits,
  ]
  const method = methods[bits.indexOf(Math.min(...bits))]
  if (method === 'least') writeOneWidth(writer, method, values, ofNumbers)
  else if (method === 'own') writeOwnWidths(writer, method, [0, 0], values, ofNumbers)
  else if (method === 'steps') writeOneWidth(writer, method, stepsOf(values), ofSteps, [low, high])
  else writeOwnWidths(writer, 'ownSteps', [low, high], stepsOf(values), ofSteps)
}

/** Measures of numbers, or of their steps, which are signed modulo 2^64. */
interface Measure {
  readonly isSigned: boolean
  /** The least number, and the bit width of the greatest difference from it. */
  readonly low: number
  readonly high: number
  readonly width: number
  /** Bits of the width field, and the total bits if each number has its own width. */
  readonly ownWidth: number
  readonly ownBits: number
}

const WORD = 2 ** 32
/** Upper halves below this belong to numbers below 2^53. */
const MOST_HIGH = 2 ** 21

function measure(values: Halves, isOfSteps: boolean): Measure {
  let [least, most, widest, bits, before] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0, 0]
  for (let at = 0; at < values.length; at += 2) {
    const high = uint32At(values, at + 1)
    if (high >= MOST_HIGH) return measureLarge(isOfSteps ? stepsOf(values) : values, isOfSteps)
    const value = high * WORD + uint32At(values, at)
    const number = isOfSteps ? value - before : value
    before = value
    if (isOfSteps && at === 0) continue
    if (number < least) least = number
    if (number > most) most = number
    const size = number < 0 ? -1 - number : number
    const length = size < WORD ? 32 - Math.clz32(size) : 64 - Math.clz32(size / WORD)
    const width = isOfSteps && number !== 0 ? length + 1 : length
    if (width > widest) widest = width
    if (width > 1) bits += width - 1
  }
  const above = most - least
  const ownWidth = bitLength(widest, 0)
  const count = (values.length >>> 1) - (isOfSteps ? 1 : 0)
  return {
    isSigned: isOfSteps,
    low: least >>> 0,
    high: Math.floor(least / WORD) >>> 0,
    width: bitLength(above >>> 0, Math.floor(above / WORD)),
    ...{ ownWidth, ownBits: bits + ownWidth * count },
  }
}

/** Measures numbers that exceed a double. */
function measureLarge(numbers: Halves, isSigned: boolean): Measure {
  const flip = isSigned ? 0x80000000 : 0
  // A single number has no steps.
  const [firstLow = 0, firstHigh = 0] = numbers
  let [leastLow, leastHigh] = [firstLow, (firstHigh ^ flip) >>> 0]
  let [mostLow, mostHigh, widest, bits] = [leastLow, leastHigh, 0, 0]
  for (let at = 0; at < numbers.length; at += 2) {
    const low = uint32At(numbers, at)
    const high = (uint32At(numbers, at + 1) ^ flip) >>> 0
    if (high < leastHigh || (high === leastHigh && low < leastLow)) {
      leastLow = low
      leastHigh = high
    } else if (high > mostHigh || (high === mostHigh && low > mostLow)) {
      mostLow = low
      mostHigh = high
    }
    const width = ownWidthAt(numbers, at, isSigned)
    if (width > widest) widest = width
    if (width > 1) bits += width - 1
  }
  const above = mostHigh - leastHigh - (mostLow < leastLow ? 1 : 0)
  const ownWidth = bitLength(widest, 0)
  return {
    isSigned,
    ...{ low: leastLow, high: (leastHigh ^ flip) >>> 0 },
    width: bitLength((mostLow - leastLow) >>> 0, above),
    ...{ ownWidth, ownBits: bits + ownWidth * (numbers.length >>> 1) },
  }
}

/** Returns the bits of a number, or of a step with its sign in the lowest bit. */
function ownWidthAt(numbers: Halves, at: number, isSigned: boolean): number {
  const [low, high] = [uint32At(numbers, at), uint32At(numbers, at + 1)]
  if (!isSigned) return bitLength(low, high)
  const sign = high >> 31
  return (low | high) === 0 ? 0 : 1 + bitLength((low ^ sign) >>> 0, (high ^ sign) >>> 0)
}

function writeOneWidth(
  writer: BitWriter,
  method: 'least' | 'steps',
  numbers: Halves,
  { low, high, width }: Measure,
  first?: readonly [low: number, high: number],
): void {
  writer.put(methods.indexOf(method), METHOD_BITS)
  putLong(writer, low, high)
  if (first !== undefined) putLong(writer, ...first)
  writer.put(width, WIDTH_BITS)
  if (width === 0) return
  for (let at = 0; at < numbers.length; at += 2) {
    const lower = uint32At(numbers, at)
    const above = uint32At(numbers, at + 1) - high - (lower < low ? 1 : 0)
    writer.putWide((lower - low) >>> 0, above >>> 0, width)
  }
}

function writeOwnWidths(
  writer: BitWriter,
  method: 'own' | 'ownSteps',
  base: readonly [low: number, high: number],
  numbers: Halves,
  { isSigned, ownWidth }: Measure,
): void {
  writer.put(methods.indexOf(method), METHOD_BITS)
  putLong(writer, ...base)
  writer.put(ownWidth, WIDTH_BITS)
  if (ownWidth === 0) return
  for (let at = 0; at < numbers.length; at += 2) writer.put(ownWidthAt(numbers, at, isSigned), ownWidth)
  for (let at = 0; at < numbers.length; at += 2) {
    const [low, high] = [uint32At(numbers, at), uint32At(numbers, at + 1)]
    const width = Math.max(0, ownWidthAt(numbers, at, isSigned) - 1)
    if (!isSigned) writer.putWide(low, high, width)
    else {
      const sign = high >> 31
      writer.putWide(((low << 1) ^ sign) >>> 0, (((high << 1) | (low >>> 31)) ^ sign) >>> 0, width)
    }
  }
}

/** Writes the bit length of a number, then its bits. */
function putLong(writer: BitWriter, low: number, high: number): void {
  const width = bitLength(low, high)
  writer.put(width, WIDTH_BITS)
  writer.putWide(low, high, width)
}

/** Returns the differences modulo 2^64 of adjacent values. */
function stepsOf(values: Halves): Halves {
  const steps = new Uint32Array(values.length - 2)
  for (let at = 0; at < steps.length; at += 2) {
    const [low, lessLow] = [uint32At(values, at + 2), uint32At(values, at)]
    steps[at] = low - lessLow
    steps[at + 1] = uint32At(values, at + 3) - uint32At(values, at + 1) - (low < lessLow ? 1 : 0)
  }
  return steps
}
