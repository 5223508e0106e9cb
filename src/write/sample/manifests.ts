import { readDecimal, storedDecimal } from '../../base/values/decimal.ts'
import { rewardTokensOf } from '../../catalog/networks.ts'
import type { DecodedManifest } from '../wire/messages/network-messages.ts'
import { tokenPrice } from './economy.ts'
import type { SampleEpoch } from './epochs.ts'
import type { NetworkName } from './hotspots.ts'
import { bonesPerShareColumns, type Rewards } from './shares.ts'

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

/** Returns the manifest of one network and day; `writtenFiles` are the bare names of its reward files. */
export function manifestOf(
  epoch: SampleEpoch,
  network: NetworkName,
  bonesPerShare: Rewards<unknown>['bonesPerShare'],
  writtenFiles: readonly string[],
): DecodedManifest {
  const decimals = bonesPerShareColumns.flatMap((column) => {
    const { [column]: exact = null } = bonesPerShare
    const stored = exact === null ? null : (storedDecimal(readDecimal(exact) ?? '0') ?? null)
    return [[column, stored] as const, [`${column}_exact`, exact] as const]
  })
  return {
    written_files: writtenFiles,
    start_timestamp: epoch.start,
    end_timestamp: epoch.end,
    epoch: BigInt(epoch.number),
    price: tokenPrice(epoch, network),
    reward_type: network,
    token: rewardTokensOf(network)[epoch.mainToken ? 1 : 0],
    ...(Object.fromEntries(decimals) as Decimals),
    service_provider_promotions: network === 'iot' ? null : promotions,
  }
}

type DecimalColumn = (typeof bonesPerShareColumns)[number]
type Decimals = Record<DecimalColumn | `${DecimalColumn}_exact`, string | null>
