import { doubleAt } from '../../base/values/typed-at.ts'

/**
 * Layout of the sums of one group by hotspot number. A stored number is the sum plus 1; 0 means no row.
 * Numbers are split into planes of 4, 2 and 1 bytes, which are read as typed arrays. Sums that do not fit, or are rarely
 * so large, precede the planes as exceptions.
 */
export interface PlaneShape {
  /** Bytes of a number, 0 to 5. Sums of 8,192 columns then stay below 2^53. */
  readonly width: number
  readonly exceptions: number
}

export interface PlaneColumn extends PlaneShape {
  readonly bytes: Buffer
}

export const MOST_COLUMNS = 8192
const MOST_WIDTH = 5
/** Smaller sums fit into a number. */
export const MOST_NUMBER = 256n ** BigInt(MOST_WIDTH) - 1n
/** Words of an exception: the hotspot number and four words of its sum, lowest first. */
const EXCEPTION_WORDS = 5
const EXCEPTION_BYTES = EXCEPTION_WORDS * 4

type Plane = Uint8Array | Uint16Array | Uint32Array

const planeBytes = (width: number) => [4, 2, 1].filter((bytes) => (width & bytes) !== 0)

/** Opens the planes of a column, lowest first, and its exceptions. */
export function openPlanes(
  { width, exceptions, bytes }: PlaneColumn,
  hotspots: number,
): { readonly planes: readonly Plane[]; readonly exceptions: Uint32Array } {
  let at = bytes.byteOffset + exceptions * EXCEPTION_BYTES
  const planes = planeBytes(width).map((size): Plane => {
    const begin = at
    at += size * hotspots
    if (size === 4) return new Uint32Array(bytes.buffer, begin, hotspots)
    return size === 2
      ? new Uint16Array(bytes.buffer, begin, hotspots)
      : new Uint8Array(bytes.buffer, begin, hotspots)
  })
  return {
    planes,
    exceptions: new Uint32Array(bytes.buffer, bytes.byteOffset, exceptions * EXCEPTION_WORDS),
  }
}

function columnBytes({ width, exceptions }: PlaneShape, hotspots: number): number {
  return exceptions * EXCEPTION_BYTES + width * hotspots
}

/** Sums by hotspot number: 0 without rows, otherwise the sum plus 1; infinity if the sum is in `large`. */
export interface SumsOfKeys {
  readonly numbers: Float64Array
  readonly large: ReadonlyMap<number, bigint>
}

/** Packs sums in the shortest layout. */
export function packColumn({ numbers, large }: SumsOfKeys): PlaneColumn {
  const hotspots = numbers.length
  const shape = shapeOf(numbers)
  const column = { ...shape, bytes: Buffer.alloc(columnBytes(shape, hotspots)) }
  const { planes, exceptions } = openPlanes(column, hotspots)
  const limit = 256 ** shape.width
  let shift = 1
  for (const plane of planes) {
    for (let index = 0; index < hotspots; index += 1) {
      const number = doubleAt(numbers, index)
      // Typed arrays truncate to the lowest bits.
      if (number < limit) plane[index] = Math.floor(number / shift)
    }
    shift *= 256 ** plane.BYTES_PER_ELEMENT
  }
  let next = 0
  for (let index = 0; index < hotspots; index += 1) {
    const number = doubleAt(numbers, index)
    if (number < limit) continue
    const sum = large.get(index) ?? BigInt(number - 1)
    exceptions[next] = index
    for (let word = 0; word < 4; word += 1)
      exceptions[next + 1 + word] = Number((sum >> BigInt(32 * word)) & 0xffff_ffffn)
    next += EXCEPTION_WORDS
  }
  return column
}

/** Returns the shape with the fewest bytes. */
function shapeOf(numbers: Float64Array): PlaneShape {
  const limits = Array.from({ length: MOST_WIDTH + 1 }, (_, width) => 256 ** width)
  const exceptions = limits.map(() => 0)
  for (const number of numbers)
    for (let width = 0; width <= MOST_WIDTH && number >= (limits[width] ?? 0); width += 1)
      exceptions[width] = (exceptions[width] ?? 0) + 1
  const shapes = exceptions.map((count, width): PlaneShape => ({ width, exceptions: count }))
  const bytes = (shape: PlaneShape) => columnBytes(shape, numbers.length)
  return shapes.reduce((a, b) => (bytes(b) < bytes(a) ? b : a))
}

/** Visits the exceptions of a column. */
export function visitExceptions(exceptions: Uint32Array, visit: (index: number, sum: bigint) => void): void {
  for (let at = 0; at < exceptions.length; at += EXCEPTION_WORDS) {
    let sum = 0n
    for (let word = 4; word > 0; word -= 1) sum = (sum << 32n) | BigInt(exceptions[at + word] ?? 0)
    visit(exceptions[at] ?? 0, sum)
  }
}
