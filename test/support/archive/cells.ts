/** H3 cells as bits: resolution in bits 52 to 55, then the base cell, then three bits for each of 15 digits. */

const LOCATION = 12n

export function resolutionOf(cell: bigint): bigint {
  return (cell >> 52n) & 15n
}

/** The cell of a coarser or the same resolution around a cell: finer digits are sevens. */
export function ancestorOf(cell: bigint, resolution: bigint): bigint {
  const unused = (1n << (3n * (15n - resolution))) - 1n
  return (cell & ~(15n << 52n)) | (resolution << 52n) | unused
}

/** Whether a hotspot at a stored cell of resolution 12 is found by a cell of any resolution. */
export function isInside(stored: bigint, asked: bigint): boolean {
  const resolution = resolutionOf(asked)
  if (resolution > LOCATION) return stored === ancestorOf(asked, LOCATION)
  return ancestorOf(stored, resolution) === asked
}
