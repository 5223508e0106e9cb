import { object, optional, text } from '../column.ts'
import { asColumns } from '../members.ts'
import { defineResource } from '../resource.ts'
import {
  block,
  eventColumns,
  eventOrder,
  oneOfFew,
  time,
  timeRange,
  transactionHash,
} from './ledger-events.ts'

/** Source: the chain's archive. */
const transactionTypes = [
  ...['coinbase_v1', 'security_coinbase_v1', 'oui_v1', 'gen_gateway_v1', 'routing_v1', 'payment_v1'],
  ...['security_exchange_v1', 'consensus_group_v1', 'add_gateway_v1', 'assert_location_v1', 'create_htlc_v1'],
  ...['redeem_htlc_v1', 'poc_request_v1', 'poc_receipts_v1', 'vars_v1', 'rewards_v1', 'token_burn_v1'],
  ...['dc_coinbase_v1', 'token_burn_exchange_rate_v1', 'payment_v2', 'state_channel_open_v1'],
  ...['state_channel_close_v1', 'price_oracle_v1', 'gen_price_oracle_v1', 'transfer_hotspot_v1'],
  ...['transfer_hotspot_v2', 'rewards_v2', 'assert_location_v2', 'gen_validator_v1', 'stake_validator_v1'],
  ...['unstake_validator_v1', 'validator_heartbeat_v1', 'transfer_validator_stake_v1'],
  ...['consensus_group_failure_v1', 'poc_receipts_v2', 'add_subnetwork_v1', 'subnetwork_rewards_v1'],
  'subnetwork_fund_v1',
]

export const l1Transactions = defineResource({
  name: 'l1_transactions',
  doc: 'A transaction of the L1 ledger.',
  columns: {
    ...eventColumns,
    type: text('Type, such as payment_v2.'),
    fields: optional(object('Fields of the transaction; they depend on its type.')),
    time,
  },
  order: eventOrder,
  partition: { by: 'month', of: 'time' },
  daily: true,
  key: 'transaction_hash',
  arrival: {
    as: 'csv',
    folder: 'transactions',
    cells: { block: 'block', hash: 'transaction_hash', type: 'type', fields: 'fields', time: 'time' },
  },
  access: {
    bounds: ['block', 'time'],
    counts: ['type'],
    sorted: [],
    pointers: ['transaction_hash'],
    chunkRows: 4096,
  },
  record: asColumns('block', 'transaction_hash', 'type', 'fields', 'time'),
  filters: {
    transaction_hash: transactionHash,
    type: oneOfFew('type', 'Type of the transaction.', transactionTypes),
    block,
    ...timeRange,
  },
  rest: {
    path: '/l1/transactions',
    envelope: 'objects',
    list: 'get-l1-transactions',
    find: { operation: 'get-l1-transaction', by: ['transaction_hash'], thing: 'Transaction' },
    summary: 'L1 transactions',
    needs: ['HotspotData'],
  },
  search: [{ kind: 'transaction', by: { transaction_hash: 'key' }, key: 'transaction_hash' }],
})
