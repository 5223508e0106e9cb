import { DAY_MS } from '../../base/values/epoch-day.ts'
import type { SampleEpoch } from './epochs.ts'
import type { NetworkName } from './hotspots.ts'
import { deriveSeed, openRandom } from './random.ts'

/**
 * Payments of the networks. The files have exactly 94 % of every pool; the other 6 % go to delegators, outside the
 * files. Each hotspot adds one part in 400,000 of the real network's emission.
 */

/** Emission per hotspot and day in bones, from 41,096 HNT a day; half of it since 2025-08-01. */
const EMISSION = 10_274_000n
const HALVED_SINCE = Date.UTC(2025, 7, 1) / DAY_MS
const percentOfEmission = { iot: 25n, mobile: 75n } as const
/** Emission per hotspot and day in bones of 6 decimals, from 89 million IOT and 137 million MOBILE a day. */
const oldEmission = { iot: 222_600_000n, mobile: 342_500_000n } as const

/** The price falls from USD 3.30 in January 2025 to USD 0.25 at the end of June 2026, by the same share each day. */
const EARLY = { day: 20_103, price: 329_923_000 }
const LATE = { day: 20_634, price: 25_000_000 }
const DAILY_FALL = Math.log(LATE.price / EARLY.price) / (LATE.day - EARLY.day)

function mainEmission(epoch: SampleEpoch, network: NetworkName): bigint {
  const emission = epoch.number < HALVED_SINCE ? EMISSION : EMISSION / 2n
  return (emission * percentOfEmission[network]) / 100n
}

/** Returns a function from a percentage to that part of a network's emission on a day, in bones of the day's token. */
export function openPool(epoch: SampleEpoch, network: NetworkName): (percent: bigint) => bigint {
  const emission = epoch.mainToken ? mainEmission(epoch, network) : oldEmission[network]
  return (percent) => (emission * BigInt(epoch.hotspots) * percent) / 100n
}

/**
 * Price in the manifest of a day: USD times 10^8 for the main token, USD times 10^6 for the old tokens. The emission of
 * a day has the same value in an old token as in the main one.
 */
export function tokenPrice(epoch: SampleEpoch, network: NetworkName): bigint {
  // Both networks use one price of the main token.
  const market = epoch.mainToken ? 'main' : network
  const wobble = 0.97 + 0.06 * openRandom(deriveSeed(epoch.seed, 'price', market, epoch.number)).unit()
  const day = Math.min(Math.max(epoch.number, EARLY.day), LATE.day)
  const main = EARLY.price * Math.exp(DAILY_FALL * (day - EARLY.day))
  const ratio = Number(mainEmission(epoch, network)) / Number(oldEmission[network])
  return BigInt(Math.round(wobble * (epoch.mainToken ? main : (main * ratio) / 1e4)))
}

/** Returns 0.00001 USD in bones, as a fraction. */
export function dataCreditInBones(
  epoch: SampleEpoch,
  price: bigint,
): readonly [dividend: bigint, divisor: bigint] {
  return [epoch.mainToken ? 10n ** 11n : 10n ** 7n, price]
}

/** Returns the bytes that a data reward pays for, at 0.50 USD per 2^30 bytes. */
export function rewardedBytes(epoch: SampleEpoch, price: bigint, reward: bigint): bigint {
  return (reward * price * 2n ** 31n) / 10n ** (epoch.mainToken ? 16n : 12n)
}
