import type { iotRewardShares } from '../catalog/l2/iot-reward-shares.ts'
import type { mobileRewardShares } from '../catalog/l2/mobile-reward-shares.ts'
import type { WireRow } from '../wire/encode.ts'
import type { Epoch } from './epochs.ts'

export type IotShare = WireRow<typeof iotRewardShares, 'hotspot_key'>
export type MobileShare = WireRow<typeof mobileRewardShares, 'hotspot_key' | 'subscriber_id'>

/** The kinds of unallocated reward on one day: some every day, the others in turn. */
export function unallocatedKinds(
  epoch: Epoch,
  all: readonly string[],
  daily: readonly string[],
): readonly string[] {
  const everyDay = daily.map((name) => `unallocated_reward_type_${name}`)
  return all.filter((kind, at) => everyDay.includes(kind) || epoch.number % all.length === at)
}
