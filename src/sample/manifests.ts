import { iotRewardTokens, mobileRewardTokens } from '../catalog/l2/reward-manifests.ts'
import { readDecimal, storedDecimal } from '../derive/decimal.ts'
import type { ManifestValues } from '../wire/messages/reward-manifest.ts'
import { longDecimal } from './amounts.ts'
import type { Epoch } from './epochs.ts'
import { tokenPrice } from './prices.ts'
import { deriveSeed, openRandom } from './random.ts'

const promotions = JSON.stringify([
  {
    service_provider: 'helium_mobile',
    incentive_escrow_fund_bps: 792,
    promotions: [
      {
        entity: 'Referral Elite',
        start_ts: '2024-10-29T00:00:00Z',
        end_ts: '2025-12-31T00:00:00Z',
        shares: 100,
      },
    ],
  },
])

/** The manifest of one network and day; `writtenFiles` are the bare names of its reward files. */
export function manifestOf(
  epoch: Epoch,
  network: 'iot' | 'mobile',
  writtenFiles: readonly string[],
): ManifestValues {
  const daily = openRandom(deriveSeed(epoch.seed, network, 'manifest', epoch.number))
  const price = tokenPrice(epoch, network)
  const isIot = network === 'iot'
  const tokens = isIot ? iotRewardTokens : mobileRewardTokens
  const perShare = (least: number, most: number) => longDecimal(daily, least + daily.below(most - least))
  const decimals = {
    ...twice('poc_bones_per_beacon_reward_share', isIot ? perShare(45_689, 49_852) : null),
    ...twice('poc_bones_per_witness_reward_share', isIot ? perShare(79_304, 86_912) : null),
    ...twice('dc_bones_per_share', isIot ? bonesPerDataCredit(price, epoch.mainToken) : null),
    ...twice('poc_bones_per_reward_share', isIot ? null : perShare(31_000, 32_000)),
    ...twice('boosted_poc_bones_per_reward_share', isIot ? null : perShare(20_000, 32_000)),
  }
  return {
    written_files: writtenFiles,
    start_timestamp: epoch.start,
    end_timestamp: epoch.end,
    epoch: BigInt(epoch.number),
    price,
    reward_type: network,
    token: tokens[epoch.mainToken ? 1 : 0] ?? null,
    ...decimals,
    service_provider_promotions: isIot ? null : promotions,
  }
}

/** A decimal column and its exact twin. */
function twice<N extends string>(name: N, text: string | null) {
  const stored = text === null ? null : (storedDecimal(readDecimal(text) ?? '0') ?? null)
  return { [name]: stored, [`${name}_exact`]: text } as Record<N | `${N}_exact`, string | null>
}

/** 0.00001 USD at the day's price, with 12 digits after the point. */
function bonesPerDataCredit(price: bigint, mainToken: boolean): string {
  const bonesTimesPrice = mainToken ? 10n ** 11n : 10n ** 7n
  const scaled = String((bonesTimesPrice * 10n ** 12n) / price).padStart(13, '0')
  return `${scaled.slice(0, -12)}.${scaled.slice(-12)}`
}
