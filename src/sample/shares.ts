import type { iotRewardShares } from '../catalog/l2/iot-reward-shares.ts'
import type { mobileRewardShares } from '../catalog/l2/mobile-reward-shares.ts'
import type { WireRow } from '../wire/encode.ts'

export type IotShare = WireRow<typeof iotRewardShares, 'hotspot_key'>
export type MobileShare = WireRow<typeof mobileRewardShares, 'hotspot_key' | 'subscriber_id'>
