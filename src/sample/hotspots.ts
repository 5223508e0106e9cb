import type { Epoch } from './epochs.ts'
import { deriveSeed, drawUuid, fillBytes, openRandom, type Random } from './random.ts'

/** Who exists. Nothing is kept: a hotspot follows from the seed of its network and its index. */

/** Share of the hotspots, and of yesterday's earners, that earn on a day. */
const DAILY_ACTIVITY = 0.92
/** How much of a day's score is the hotspot's own; the rest is the day's luck. */
const PERSISTENCE = 0.95
const LUCK = Math.sqrt(1 - PERSISTENCE ** 2)

const ECC_KEY = { firstByte: 0x00, length: 33 } as const
const ED25519_KEY = { firstByte: 0x01, length: 33 } as const
const RSA_KEY = { firstByte: 0x04, length: 264 } as const

/** Someone who earns: the raw public key, and a standard normal rank that stays the same every day. */
interface Earner {
  readonly key: Uint8Array
  readonly rank: number
}

export interface MobileHotspot extends Earner {
  /** Gives coverage, and so has a radio reward. */
  readonly hasRadio: boolean
  /** Was a CBRS radio, with this serial number, until the token changed. */
  readonly isCbrs: boolean
  readonly cbsdSerial: number
  readonly coverageObject: Uint8Array
  /** When its seniority begins anew: a day of a cycle of 365 days, and a second of that day. */
  readonly seniorityDay: number
  readonly senioritySecond: number
}

/** Hotspots of the mobile network. */
export function mobileHotspotCount(epoch: Epoch): number {
  return Math.max(1, Math.floor(epoch.hotspots / 3))
}

/** Finds the IoT hotspot of an index below `epoch.hotspots`. */
export function openIotHotspots(epoch: Epoch): (index: number) => Earner {
  const seed = deriveSeed(epoch.seed, 'iot hotspots')
  const random = openRandom()
  return (index) => {
    random.restart(seed, index)
    return { rank: random.normal(), key: drawKey(random, ECC_KEY) }
  }
}

/** Finds the mobile hotspot of an index below `mobileHotspotCount(epoch)`; some are IoT hotspots as well. */
export function openMobileHotspots(epoch: Epoch): (index: number) => MobileHotspot {
  const seed = deriveSeed(epoch.seed, 'mobile hotspots')
  const iotHotspot = openIotHotspots(epoch)
  const random = openRandom()
  return (index) => {
    random.restart(seed, index)
    const rank = random.normal()
    const origin = random.unit()
    return {
      rank,
      key: origin < 0.25 ? iotHotspot(index * 3).key : drawKey(random, origin > 0.96 ? RSA_KEY : ECC_KEY),
      hasRadio: random.chance(0.5),
      isCbrs: random.chance(0.3),
      cbsdSerial: random.below(1e9),
      coverageObject: drawUuid(random),
      seniorityDay: random.below(365),
      senioritySecond: random.below(86_400),
    }
  }
}

/** Finds the mapper of an index. */
export function openSubscribers(epoch: Epoch): (index: number) => Earner {
  const seed = deriveSeed(epoch.seed, 'subscribers')
  const random = openRandom()
  return (index) => {
    random.restart(seed, index)
    return { rank: random.normal(), key: drawKey(random, ED25519_KEY) }
  }
}

/** Draws whether someone earns anything today. */
export function isActive(daily: Random): boolean {
  return daily.chance(DAILY_ACTIVITY)
}

/** A standard normal score for today: mostly the rank, so that who earned much earns much again. */
export function scoreOf(rank: number, daily: Random): number {
  return PERSISTENCE * rank + LUCK * daily.normal()
}

function drawKey(random: Random, kind: { readonly firstByte: number; readonly length: number }): Uint8Array {
  const key = new Uint8Array(kind.length)
  key[0] = kind.firstByte
  return fillBytes(key, 1, random.word)
}
