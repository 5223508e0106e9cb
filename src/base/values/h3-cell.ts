/** H3 indexes of 64 bits. Source: the H3 documentation, "H3Index Bit Layout". */

const FINEST = 15n
const DIGIT_BITS = 3n
const RESOLUTION_AT = 52n
const BASE_CELL_AT = 45n
const CELL_MODE = 1n
const LAST_BASE_CELL = 121n
const UNUSED_DIGIT = 7n

/** Bounds of cell indexes. */
export const LEAST_CELL = CELL_MODE << 59n
export const MOST_CELL = LEAST_CELL + (1n << 56n) - 1n

/** Resolution of hotspot locations. Source: domain, "Filter semantics". */
export const LOCATION_RESOLUTION = 12n

/** Base cells that are pentagons; they have no children in the direction of digit 1. */
const PENTAGONS: ReadonlySet<bigint> = new Set([4n, 14n, 24n, 38n, 49n, 58n, 63n, 72n, 83n, 97n, 107n, 117n])

/** Cells from `first` to `last`, both included. */
export interface CellRange {
  readonly first: bigint
  readonly last: bigint
}

/** Resolution of a cell, 0 to 15. */
export function resolutionOf(cell: bigint): bigint {
  return (cell >> RESOLUTION_AT) & 15n
}

/** True if an index has the reserved bit, mode and unused bits of a cell. */
export function looksLikeCell(index: bigint): boolean {
  return index >= LEAST_CELL && index <= MOST_CELL
}

export function isCell(index: bigint): boolean {
  if (!looksLikeCell(index)) return false
  const baseCell = (index >> BASE_CELL_AT) & 127n
  if (baseCell > LAST_BASE_CELL) return false
  const digits = digitsOf(index)
  const used = digits.slice(0, Number(resolutionOf(index)))
  if (used.includes(UNUSED_DIGIT)) return false
  if (digits.slice(used.length).some((digit) => digit !== UNUSED_DIGIT)) return false
  return !PENTAGONS.has(baseCell) || used.find((digit) => digit !== 0n) !== 1n
}

function digitsOf(index: bigint): readonly bigint[] {
  return Array.from({ length: Number(FINEST) }, (_, at) => {
    return (index >> ((FINEST - 1n - BigInt(at)) * DIGIT_BITS)) & 7n
  })
}

/** Returns the ancestor of a cell at a coarser resolution, or the cell itself. */
export function ancestorOf(cell: bigint, resolution: bigint): bigint {
  const finer = (1n << ((FINEST - resolution) * DIGIT_BITS)) - 1n
  return (cell & ~(15n << RESOLUTION_AT)) | (resolution << RESOLUTION_AT) | finer
}

/**
 * Returns the cells of `resolution` inside a cell, or the cell around a finer one. They are consecutive
 * integers, since the coarsest digit comes first.
 */
export function cellsWithin(cell: bigint, resolution: bigint): CellRange {
  if (resolutionOf(cell) >= resolution) {
    const around = ancestorOf(cell, resolution)
    return { first: around, last: around }
  }
  const last = (cell & ~(15n << RESOLUTION_AT)) | (resolution << RESOLUTION_AT)
  const unused = (1n << ((FINEST - resolution) * DIGIT_BITS)) - 1n
  const open = (1n << ((FINEST - resolutionOf(cell)) * DIGIT_BITS)) - 1n
  return { first: (last & ~open) | unused, last }
}
