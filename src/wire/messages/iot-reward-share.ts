import { iotUnallocatedRewardTypes } from '../../catalog/l2/iot-reward-shares.ts'
import { amount, choice, type Fields, key, seconds, variant } from '../field.ts'

export const iotRewardShareFields: Fields = {
  1: seconds('start_period'),
  2: seconds('end_period'),
  3: variant('gateway_reward', {
    1: key('hotspot_key'),
    2: amount('beacon_amount'),
    3: amount('witness_amount'),
    4: amount('dc_transfer_amount'),
  }),
  4: variant('operational_reward', { 1: amount('amount') }),
  5: variant('unallocated_reward', {
    1: choice('unallocated_reward_type', iotUnallocatedRewardTypes),
    2: amount('amount'),
  }),
}
