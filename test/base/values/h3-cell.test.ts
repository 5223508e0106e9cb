import { cellToParent, getResolution, isPentagon, isValidCell, latLngToCell } from 'h3-js'
import { describe, expect, it } from 'vitest'
import { ancestorOf, cellsWithin, isCell, resolutionOf } from '../../../src/base/values/h3-cell.ts'
import { scaled } from '../../support/tier.ts'

const CELLS = scaled(120, 1500)
const RESOLUTIONS = Array.from({ length: 16 }, (_, resolution) => resolution)

/** The same pseudo-random numbers from 0 to 1 every time. Source: the generator "mulberry32". */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const index = (hex: string) => BigInt(`0x${hex}`)
const hex = (cell: bigint) => cell.toString(16)

/** Cells of a resolution anywhere on the globe. */
function cellsOf(resolution: number, count: number, next = randomNumbers(resolution + 1)): readonly string[] {
  return Array.from({ length: count }, () => latLngToCell(next() * 180 - 90, next() * 360 - 180, resolution))
}

describe('H3 cells, compared with h3-js', () => {
  it.each(RESOLUTIONS)('have the same resolution and ancestors: resolution %i', (resolution) => {
    for (const cell of cellsOf(resolution, CELLS)) {
      expect(isCell(index(cell))).toBe(true)
      expect(resolutionOf(index(cell))).toBe(BigInt(getResolution(cell)))
      for (const coarser of RESOLUTIONS.slice(0, resolution + 1))
        expect(hex(ancestorOf(index(cell), BigInt(coarser)))).toBe(cellToParent(cell, coarser))
    }
  })

  it.each(RESOLUTIONS)(
    'of resolution 12 lie within a cell exactly when it is their ancestor: resolution %i',
    (resolution) => {
      const next = randomNumbers(99)
      for (let round = 0; round < 120; round += 1) {
        const [lat, lng] = [next() * 178 - 89, next() * 360 - 180]
        const around = latLngToCell(lat, lng, resolution)
        // Close enough that both answers are common at every resolution.
        const near = (next() - 0.5) * 20 * 2.65 ** -resolution
        const cell = latLngToCell(lat + near, lng - near, 12)
        const { first, last } = cellsWithin(index(around), 12n)
        const isWithin = index(cell) >= first && index(cell) <= last
        const wanted =
          resolution <= 12 ? cellToParent(cell, resolution) === around : cell === cellToParent(around, 12)
        expect(isWithin).toBe(wanted)
      }
    },
  )

  it('are recognised among other 64-bit integers', () => {
    const next = randomNumbers(7)
    for (const resolution of RESOLUTIONS) {
      for (const cell of cellsOf(resolution, CELLS, next)) {
        // With one bit flipped some are still cells.
        const other = index(cell) ^ (1n << BigInt(Math.floor(next() * 64)))
        expect(isCell(other), hex(other)).toBe(isValidCell(hex(other)))
      }
    }
  })

  it('are not in the deleted direction of a pentagon', () => {
    const pentagons = Array.from(
      { length: 122 },
      (_, base) => 0x8001fffffffffffn | (BigInt(base) << 45n),
    ).filter((cell) => isPentagon(hex(cell)))
    expect(pentagons).toHaveLength(12)
    for (const pentagon of pentagons) {
      for (let digit = 0n; digit < 8n; digit += 1n) {
        const child = (pentagon & ~(15n << 52n) & ~(7n << 42n)) | (1n << 52n) | (digit << 42n)
        expect(isCell(child), hex(child)).toBe(isValidCell(hex(child)))
      }
    }
  })
})
