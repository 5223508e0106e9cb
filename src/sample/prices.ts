import type { Epoch } from './epochs.ts'
import { deriveSeed, openRandom } from './random.ts'

/** From USD 3.30 in January 2025 down to USD 0.25 at the end of June 2026, the same share a day. */
const EARLY = { day: 20_103, price: 329_923_000 }
const LATE = { day: 20_634, price: 25_000_000 }
const DAILY_FALL = Math.log(LATE.price / EARLY.price) / (LATE.day - EARLY.day)

/** Middle prices of the old tokens, in USD times 10^6. */
const oldTokenPrices = { iot: 1500, mobile: 800 } as const

/** Price in a day's manifest: USD times 10^8 for the main token, USD times 10^6 for the old ones. */
export function tokenPrice(epoch: Epoch, network: 'iot' | 'mobile'): bigint {
  // Both networks see one price of the main token.
  const market = epoch.mainToken ? 'main' : network
  const wobble = 0.97 + 0.06 * openRandom(deriveSeed(epoch.seed, 'price', market, epoch.number)).unit()
  if (!epoch.mainToken) return BigInt(Math.round(oldTokenPrices[network] * wobble))
  const day = Math.min(Math.max(epoch.number, EARLY.day), LATE.day)
  return BigInt(Math.round(EARLY.price * Math.exp(DAILY_FALL * (day - EARLY.day)) * wobble))
}
