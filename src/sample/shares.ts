import type { iotRewardShares } from '../catalog/l2/iot-reward-shares.ts'
import type { mobileRewardShares } from '../catalog/l2/mobile-reward-shares.ts'
import type { WireRow } from '../wire/encode.ts'

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

/** What one network pays on one day. */
export interface Rewards<Share> {
  /** How many shares there are. */
  readonly rows: number
  /** Draws them, in the order of the day's files. */
  readonly shares: () => Generator<Share>
  /** Decimals of the day's manifest. */
  readonly bonesPerShare: Readonly<Partial<Record<(typeof bonesPerShareColumns)[number], string>>>
}
