import { address, text, whole } from '../column.ts'
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
const burnTypes = ['fee', 'state_channel', 'assert_location', 'add_gateway', 'oui', 'routing']

/** Names of burn types in the chain and its documents. */
const chainNames = { data_transfer: 'state_channel', transaction_fee: 'fee' }

export const l1DcBurns = defineResource({
  name: 'l1_dc_burns',
  doc: 'Data Credits that a transaction of the L1 ledger burned.',
  columns: {
    ...eventColumns,
    actor_address: address('l1', 'Address that burned them: payer of a fee, owner, or gateway.'),
    type: text('Reason of the burn, such as fee or state_channel.'),
    amount: whole('Data Credits.'),
    oracle_price: whole('Price of the main token at that block, USD times 10^8; 0 when there was none.'),
    time,
  },
  order: eventOrder,
  partition: { by: 'month', of: 'time' },
  arrival: {
    as: 'csv',
    folder: 'dc_burns',
    cells: {
      block: 'block',
      transaction_hash: 'transaction_hash',
      actor: 'actor_address',
      type: 'type',
      amount: 'amount',
      oracle_price: 'oracle_price',
      time: 'time',
    },
  },
  access: {
    bounds: ['block', 'time'],
    counts: ['type'],
    sorted: ['actor_address'],
    pointers: ['transaction_hash'],
  },
  record: asColumns('block', 'transaction_hash', 'actor_address', 'type', 'amount', 'oracle_price', 'time'),
  filters: {
    actor_address: equal('actor_address', `Address that burned them. ${EITHER_SPELLING}`),
    transaction_hash: transactionHash,
    type: oneOfFew('type', 'Reason of the burn.', burnTypes, chainNames),
    block,
    ...timeRange,
  },
  rest: {
    path: '/l1/dc-burns',
    envelope: 'objects',
    list: 'get-l1-dc-burns',
    summary: 'Data Credit burns on L1',
    needs: ['HotspotData'],
  },
})
