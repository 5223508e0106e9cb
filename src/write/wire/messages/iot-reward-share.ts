import { type iotRewardShares, iotUnallocatedRewardTypes } from '../../../catalog/l2/iot-reward-shares.ts'
import { columnFields, oneofMember, variants, type WireFields } from '../field.ts'

const { amount, choice, key, seconds } = columnFields

export const iotRewardShareFields: WireFields = {
  1: seconds('start_period'),
  2: seconds('end_period'),
  ...variants<typeof iotRewardShares>({
    gateway_reward: oneofMember(3, {
      1: key('hotspot_key'),
      2: amount('beacon_amount'),
      3: amount('witness_amount'),
      4: amount('dc_transfer_amount'),
    }),
    operational_reward: oneofMember(4, { 1: amount('amount') }),
    unallocated_reward: oneofMember(5, {
      1: choice('unallocated_reward_type', iotUnallocatedRewardTypes),
      2: amount('amount'),
    }),
  }),
}
