import { amount, oneOf, optional, text } from '../column.ts'
import { asColumns, withFormatted } from '../members.ts'
import { defineResource, namesOf } from '../resource.ts'
import { periodColumns, rewardShareArguments, rewardShareGroups, rewardShareTable } from './reward-periods.ts'

/** In the order of their numbers on the wire. */
export const iotUnallocatedRewardTypes = [
  'unallocated_reward_type_poc',
  'unallocated_reward_type_operation',
  'unallocated_reward_type_oracle',
  'unallocated_reward_type_data',
] as const

/** Variants, in the order of their numbers on the wire. */
const cases = {
  gateway_reward: {
    ...asColumns('hotspot_key'),
    ...withFormatted('beacon_amount', 'witness_amount', 'dc_transfer_amount'),
  },
  operational_reward: withFormatted('amount'),
  unallocated_reward: { ...asColumns('unallocated_reward_type'), ...withFormatted('amount') },
} as const

export const iotRewardTypes = namesOf(cases)

const totals = {
  total_beacon_amount: 'beacon_amount',
  total_witness_amount: 'witness_amount',
  total_dc_transfer_amount: 'dc_transfer_amount',
  total_amount: 'amount',
} as const

export const iotRewardShares = defineResource({
  ...rewardShareTable,
  name: 'iot_reward_shares',
  doc: 'One reward for one period on the IoT network.',
  columns: {
    ...periodColumns(iotRewardTypes),
    hotspot_key: optional(text('Hotspot that earned it.')),
    beacon_amount: optional(amount('Reward for beacons, in bones.')),
    witness_amount: optional(amount('Reward for witnessed beacons, in bones.')),
    dc_transfer_amount: optional(amount('Reward for transferred data, in bones.')),
    amount: optional(amount('Operational or unallocated reward, in bones.')),
    unallocated_reward_type: optional(
      oneOf(iotUnallocatedRewardTypes, 'The part of the emission nobody earned.'),
    ),
  },
  arrival: {
    as: 'messages',
    kind: 'iot_reward_share',
    prefixes: ['iot_reward_share', 'iot_network_reward_shares_v1'],
    unreadable: {
      gateway_reward_share: 'its amounts have 8 or 6 decimals, which the file does not say',
    },
  },
  variants: { on: 'reward_type', as: 'reward_detail', cases, mayLack: [] },
  totals,
  earned: ['beacon_amount', 'witness_amount', 'dc_transfer_amount'],
  series: {
    operation: 'get-iot-reward-series',
    path: '/totals/series',
    sums: totals,
    groupBy: rewardShareGroups,
    start: 'start_period',
  },
  rest: {
    path: '/l2/iot-reward-shares',
    envelope: 'records',
    list: 'get-iot-rewards',
    totals: 'get-iot-reward-totals',
    summary: 'IoT reward shares of a time range',
    totalsNeed: ['OracleData', 'Aggregates'],
  },
  graphql: {
    query: 'iotRewardShares',
    node: 'IotRewardShare',
    persisted: 'iot-reward-shares',
    fields: asColumns(
      'hotspot_key',
      'amount',
      'beacon_amount',
      'witness_amount',
      'dc_transfer_amount',
      'start_period',
      'end_period',
      'reward_type',
      'unallocated_reward_type',
    ),
    detail: { as: 'reward_detail', before: 'Iot', behind: 'Detail' },
    arguments: rewardShareArguments,
  },
})
