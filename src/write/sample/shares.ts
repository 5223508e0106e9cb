import { itemAt } from '../../base/values/item-at.ts'
import type { iotRewardShares } from '../../catalog/l2/iot-reward-shares.ts'
import type { mobileRewardShares } from '../../catalog/l2/mobile-reward-shares.ts'
import type { WireRow } from './encoding/encode-message.ts'
import type { SampleEpoch } from './epochs.ts'

export type IotShare = WireRow<typeof iotRewardShares, 'hotspot_key'>
export type MobileShare = WireRow<typeof mobileRewardShares, 'hotspot_key' | 'subscriber_id'>

/** Columns of a manifest with the bones of one share of a pool. */
export const bonesPerShareColumns = [
  'poc_bones_per_beacon_reward_share',
  'poc_bones_per_witness_reward_share',
  'dc_bones_per_share',
  'poc_bones_per_reward_share',
  'boosted_poc_bones_per_reward_share',
] as const

/** Rewards of one network on one day. */
export interface Rewards<Share> {
  /** Number of shares. */
  readonly rows: number
  /** Draws the shares in the order of the day's files. */
  readonly shares: () => Generator<Share>
  /** Decimals of the day's manifest. */
  readonly bonesPerShare: Readonly<Partial<Record<(typeof bonesPerShareColumns)[number], string>>>
}

const UNALLOCATED = 'unallocated_reward_type_'

/** Builds an unallocated share; `kind` follows `unallocated_reward_type_`. */
export function unallocatedShare(kind: string, amount: bigint) {
  return { reward_type: 'unallocated_reward', unallocated_reward_type: `${UNALLOCATED}${kind}`, amount }
}

/** Returns the rare kind of unallocated reward of a day; undefined if the kind of this day occurs every day. */
export function findRareKind(
  epoch: SampleEpoch,
  kinds: readonly string[],
  daily: readonly string[],
): string | undefined {
  const kind = itemAt(kinds, epoch.number % kinds.length).slice(UNALLOCATED.length)
  return daily.includes(kind) ? undefined : kind
}
