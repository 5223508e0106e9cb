import { cellToParent, getResolution } from 'h3-js'

/** H3 cells as the integers that the lake has, by the library that others read them with. */

const LOCATION = 12

export function resolutionOf(cell: bigint): number {
  return getResolution(cell.toString(16))
}

/** The cell of a coarser or the same resolution around a cell. */
export function ancestorOf(cell: bigint, resolution: number): bigint {
  return BigInt(`0x${cellToParent(cell.toString(16), resolution)}`)
}

/** Whether a hotspot at a stored cell of resolution 12 is found by a cell of any resolution. */
export function isInside(stored: bigint, asked: bigint): boolean {
  const resolution = resolutionOf(asked)
  if (resolution > LOCATION) return stored === ancestorOf(asked, LOCATION)
  return ancestorOf(stored, resolution) === asked
}
