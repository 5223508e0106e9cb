import type { iotRewardShares } from '../../catalog/l2/iot-reward-shares.ts'
import type { mobileRewardShares } from '../../catalog/l2/mobile-reward-shares.ts'
import type { WireRow } from './encoding/encode-message.ts'
import type { SampleEpoch } from './epochs.ts'

export type IotShare = WireRow<typeof iotRewardShares, 'hotspot_key'>
export type MobileShare = WireRow<typeof mobileRewardShares, 'hotspot_key' | 'subscriber_id'>

/** Columns of a manifest that say how many bones one share of a pool is worth. */
export const bonesPerShareColumns = [
  'poc_bones_per_beacon_reward_share',
  'poc_bones_per_witness_reward_share',
  'dc_bones_per_share',
  'poc_bones_per_reward_share',
  'boosted_poc_bones_per_reward_share',
] as const

/** Rewards of one network on one day. */
export interface Rewards<Share> {
  /** How many shares there are. */
  readonly rows: number
  /** Draws them, in the order of the day's files. */
  readonly shares: () => Generator<Share>
  /** Decimals of the day's manifest. */
  readonly bonesPerShare: Readonly<Partial<Record<(typeof bonesPerShareColumns)[number], string>>>
}

const UNALLOCATED = 'unallocated_reward_type_'

/** A share that nobody takes, by what follows `unallocated_reward_type_`. */
export function unallocatedShare(kind: string, amount: bigint) {
  return { reward_type: 'unallocated_reward', unallocated_reward_type: `${UNALLOCATED}${kind}`, amount }
}

/** The rare kind of unallocated reward whose turn it is on a day; none when it is a kind of every day. */
export function findRareKind(
  epoch: SampleEpoch,
  kinds: readonly string[],
  daily: readonly string[],
): string | undefined {
  const kind = (kinds[epoch.number % kinds.length] as string).slice(UNALLOCATED.length)
  return daily.includes(kind) ? undefined : kind
}
