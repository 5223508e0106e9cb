import type { SampleNetwork } from './hotspots.ts'
import { deriveSeed, openRandom, type Random } from './random.ts'

/** Base cells of H3 that are pentagons, which lack some children. */
const pentagons = new Set([4, 14, 24, 38, 49, 58, 63, 72, 83, 97, 107, 117])
const BASE_CELLS = 122
const CELL_MODE = 1n
const LOCATION_RESOLUTION = 12
const HEX_RESOLUTION = 8
const FINEST = 15
const CITY_RESOLUTION = 6
/** Approximate number of hotspots in a city, which is a cell of resolution 6. */
const HOTSPOTS_IN_CITY = 200
const NOWHERE = 0.07

export interface HotspotPlace {
  /** H3 cell of resolution 12. */
  readonly location: bigint
  /** Its ancestor of resolution 8. */
  readonly hex: bigint
}

/** Returns a function from the index of a hotspot to its place; some hotspots have none. */
export function openPlaces({ seed, hotspots }: SampleNetwork): (index: number) => HotspotPlace | undefined {
  const baseSeed = deriveSeed(seed, 'places')
  const cities = Math.max(1, Math.floor(hotspots / HOTSPOTS_IN_CITY))
  const random = openRandom()
  return (index) => {
    random.restart(baseSeed, index % cities)
    const base = drawBaseCell(random)
    const digits = drawDigits(random, CITY_RESOLUTION)
    random.restart(baseSeed, -1 - index)
    if (random.chance(NOWHERE)) return undefined
    digits.push(...drawDigits(random, LOCATION_RESOLUTION - CITY_RESOLUTION))
    return { location: cellOf(base, digits), hex: cellOf(base, digits.slice(0, HEX_RESOLUTION)) }
  }
}

function drawBaseCell(random: Random): number {
  for (;;) {
    const base = random.below(BASE_CELLS)
    if (!pentagons.has(base)) return base
  }
}

const drawDigits = (random: Random, count: number) => Array.from({ length: count }, () => random.below(7))

/** Builds a cell: three bits per resolution, and sevens after the last one. */
function cellOf(baseCell: number, digits: readonly number[]): bigint {
  let cell = (CELL_MODE << 59n) | (BigInt(digits.length) << 52n) | (BigInt(baseCell) << 45n)
  for (let resolution = 1; resolution <= FINEST; resolution += 1) {
    cell |= BigInt(digits[resolution - 1] ?? 7) << BigInt(3 * (FINEST - resolution))
  }
  return cell
}
