import { itemAt } from '../../base/values/item-at.ts'
import { deriveSeed, fillBytes, openRandom, type Random } from './random.ts'

/**
 * Hotspots and owners of the oracle files, the list of hotspots and the ledger. Nothing is stored: a hotspot and its
 * owner are derived from the seed and the index of the hotspot.
 */

export type NetworkName = 'iot' | 'mobile'

/** Seed and size of a sample network. */
export interface SampleNetwork {
  readonly seed: string
  /** Number of hotspots of both networks. */
  readonly hotspots: number
}

export interface Hotspot {
  /** Raw public key. */
  readonly key: Uint8Array
  /** Standard normal score, the same every day. */
  readonly rank: number
  /** True for a hotspot that never earns. */
  readonly isRetired: boolean
  /** Device of a mobile hotspot. */
  readonly device: (typeof devices)[number]
}

const devices = [
  'wifi_data_only',
  'wifi_indoor',
  'cbrs',
  'wifi_outdoor',
  'wifi_data_only',
  'wifi_data_only',
] as const

/** Probability that a hotspot earns on a day. */
const DAILY_ACTIVITY = 0.92
const RETIRED = 0.04
/** Weight of the hotspot's rank in the score of a day; the rest is random. */
const PERSISTENCE = 0.95
const LUCK = Math.sqrt(1 - PERSISTENCE ** 2)

const ECC_KEY = { firstByte: 0x00, length: 33 } as const
const ED25519_KEY = { firstByte: 0x01, length: 33 } as const
const RSA_KEY = { firstByte: 0x04, length: 264 } as const
/** Share of long keys among hotspots of the mobile network only. */
const LONG_KEYS = 0.1

const OWNERS_PER_HOTSPOT = 0.6
/** Share of the largest owner in all hotspots. */
const LARGEST_FLEET = 0.25

/** Selects the hotspots of a network by the last digit of their index. */
function ofEveryTen(digits: readonly number[]) {
  return {
    has: (index: number) => digits.includes(index % 10),
    count: (hotspots: number) =>
      Math.floor(hotspots / 10) * digits.length + digits.filter((digit) => digit < hotspots % 10).length,
    /** Index of the hotspot with a number below `count`. */
    indexOf: (number: number) =>
      Math.floor(number / digits.length) * 10 + itemAt(digits, number % digits.length),
  }
}

/** Of ten hotspots, seven are on the IoT network only, two on the mobile one only, and one on both. */
export const members = {
  iot: ofEveryTen([0, 1, 2, 4, 5, 6, 7, 9]),
  mobile: ofEveryTen([3, 6, 8]),
} as const

/** Returns a function from an index to its hotspot. */
export function openHotspots(seed: string): (index: number) => Hotspot {
  const baseSeed = deriveSeed(seed, 'hotspots')
  const random = openRandom()
  return (index) => {
    random.restart(baseSeed, index)
    const rank = random.normal()
    const isRetired = random.chance(RETIRED)
    const device = random.pick(devices)
    const isLong = !members.iot.has(index) && random.chance(LONG_KEYS)
    return { rank, isRetired, device, key: drawKey(random, isLong ? RSA_KEY : ECC_KEY) }
  }
}

/** Returns a function that draws hotspots of one network. */
export function openDraws({ seed, hotspots }: SampleNetwork, network: NetworkName) {
  const hotspotOf = openHotspots(seed)
  const { count, indexOf } = members[network]
  return (random: Random): Hotspot => hotspotOf(indexOf(random.below(count(hotspots))))
}

/** Returns a function from an index to a raw key in a group such as `accounts`. */
export function openPeople(seed: string, crowd: string): (index: number) => Uint8Array {
  const baseSeed = deriveSeed(seed, crowd)
  const random = openRandom()
  return (index) => {
    random.restart(baseSeed, index)
    return drawKey(random, ED25519_KEY)
  }
}

export function ownerCount(hotspots: number): number {
  return Math.ceil(hotspots * OWNERS_PER_HOTSPOT)
}

/**
 * Returns a function from the index of a hotspot to that of its owner's account. A few accounts own very many hotspots;
 * many own one.
 */
export function openOwners({ seed, hotspots }: SampleNetwork): (index: number) => number {
  const baseSeed = deriveSeed(seed, 'owners')
  const count = ownerCount(hotspots)
  const random = openRandom()
  return (index) => {
    random.restart(baseSeed, index)
    return drawSkewed(random, count, LARGEST_FLEET)
  }
}

/** Draws an index below `count`. Small ones are likely, and 0 has the share `largest` of the draws. */
export function drawSkewed(random: Random, count: number, largest: number): number {
  const exponent = Math.log(count) / -Math.log(largest)
  return Math.min(count - 1, Math.floor(count * random.unit() ** exponent))
}

/** Draws whether a hotspot or mapper earns today. */
export function isActive(daily: Random): boolean {
  return daily.chance(DAILY_ACTIVITY)
}

/**
 * Yields the active hotspots of a network on a day, each with a standard normal score. The score is mostly the rank, so
 * earnings persist. `daily` continues with the draws of the hotspot.
 */
export function* workersOf(
  { seed, hotspots }: SampleNetwork,
  network: NetworkName,
  day: number,
  daily: Random,
) {
  const baseSeed = deriveSeed(seed, `${network} work`, day)
  const hotspotOf = openHotspots(seed)
  const { count, indexOf } = members[network]
  for (let number = 0; number < count(hotspots); number += 1) {
    daily.restart(baseSeed, number)
    if (!isActive(daily)) continue
    const hotspot = hotspotOf(indexOf(number))
    if (hotspot.isRetired) continue
    yield { number, hotspot, score: PERSISTENCE * hotspot.rank + LUCK * daily.normal() }
  }
}

function drawKey(random: Random, kind: { readonly firstByte: number; readonly length: number }): Uint8Array {
  const key = new Uint8Array(kind.length)
  key[0] = kind.firstByte
  return fillBytes(key, 1, random.word)
}
