import { address, optional, text, whole } from '../column.ts'
import { asColumns } from '../members.ts'
import { defineResource } from '../resource.ts'
import {
  block,
  EITHER_SPELLING,
  equal,
  eventColumns,
  eventOrder,
  oneOfFew,
  time,
  timeRange,
  transactionHash,
} from './ledger-events.ts'

/** Source: the chain's archive. */
const rewardTypes = [
  ...['poc_challenger', 'poc_challengee', 'poc_witness'],
  ...['dc_rewards', 'consensus_rewards', 'securities_reward'],
]

/** Names of the types in the chain. Source: helium/blockchain-core, blockchain_txn_rewards. */
const chainNames = {
  poc_challengers: 'poc_challenger',
  poc_challengees: 'poc_challengee',
  poc_witnesses: 'poc_witness',
  data_credits: 'dc_rewards',
  data_transfer: 'dc_rewards',
  state_channel: 'dc_rewards',
  consensus: 'consensus_rewards',
  validators: 'consensus_rewards',
  securities: 'securities_reward',
  securities_rewards: 'securities_reward',
}

export const l1Rewards = defineResource({
  name: 'l1_rewards',
  doc: 'A reward that the L1 ledger paid.',
  columns: {
    ...eventColumns,
    time,
    account_address: optional(address('l1', 'Account that was paid.')),
    gateway_address: optional(text('Gateway or validator that earned it; 1Wh4bh stands for none.')),
    amount: whole('Main tokens, in bones.'),
    type: text('Type of the reward, such as poc_witness.'),
  },
  order: eventOrder,
  partition: { by: 'month', of: 'time' },
  daily: true,
  arrival: {
    as: 'csv',
    folder: 'rewards',
    cells: {
      block: 'block',
      transaction_hash: 'transaction_hash',
      time: 'time',
      account: 'account_address',
      gateway: 'gateway_address',
      amount: 'amount',
      type: 'type',
    },
  },
  access: {
    bounds: ['block', 'time'],
    counts: ['type'],
    sorted: ['account_address', 'gateway_address'],
    pointers: ['transaction_hash'],
  },
  record: asColumns(
    'block',
    'transaction_hash',
    'time',
    'account_address',
    'gateway_address',
    'amount',
    'type',
  ),
  filters: {
    account_address: equal('account_address', `Account that was paid. ${EITHER_SPELLING}`),
    gateway_address: equal('gateway_address', 'Gateway that earned it.'),
    transaction_hash: transactionHash,
    type: oneOfFew('type', 'Type of the reward.', rewardTypes, chainNames),
    block,
    ...timeRange,
  },
  earned: ['amount'],
  series: {
    operation: 'get-l1-reward-series',
    path: '/series',
    sums: { total_amount: 'amount' },
    groupBy: { reward_type: 'type', hotspot: 'gateway_address', owner: 'account_address' },
  },
  rest: {
    path: '/l1/rewards',
    envelope: 'objects',
    list: 'get-l1-rewards',
    summary: 'Rewards on L1',
    needs: ['HotspotData'],
    totalsNeed: ['Aggregates'],
  },
})
