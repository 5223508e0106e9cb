import { address, text } from '../column.ts'
import { asColumns } from '../members.ts'
import { defineResource } from '../resource.ts'
import {
  block,
  EITHER_SPELLING,
  equal,
  eventColumns,
  eventOrder,
  oneOfFew,
  transactionHash,
} from './ledger-events.ts'

/** Source: the chain's archive. */
const roles = [
  ...['payer', 'payee', 'gateway', 'owner', 'challenger', 'challengee', 'witness', 'validator'],
  ...['reward_gateway', 'sc_opener', 'sc_closer', 'packet_receiver', 'consensus_member', 'oracle'],
  ...['router', 'escrow'],
]

export const l1TransactionActors = defineResource({
  name: 'l1_transaction_actors',
  doc: 'The role of an address in a transaction; an address with two roles has two rows.',
  columns: {
    ...eventColumns,
    actor_address: address('l1', 'Address of an account, gateway, validator or router.'),
    actor_role: text('Role in the transaction, such as payer.'),
  },
  order: eventOrder,
  partition: { by: 'block_range', of: 'block' },
  arrival: {
    as: 'csv',
    folder: 'transaction_actors',
    cells: {
      actor: 'actor_address',
      actor_role: 'actor_role',
      transaction_hash: 'transaction_hash',
      block: 'block',
    },
  },
  access: {
    bounds: ['block'],
    counts: ['actor_role'],
    sorted: ['actor_address'],
    pointers: ['transaction_hash'],
  },
  record: asColumns('actor_address', 'actor_role', 'transaction_hash', 'block'),
  filters: {
    actor_address: equal('actor_address', `Address of the actor. ${EITHER_SPELLING}`),
    actor_role: oneOfFew('actor_role', 'Role of the actor.', roles),
    transaction_hash: transactionHash,
    block,
  },
  rest: {
    path: '/l1/transaction-actors',
    envelope: 'objects',
    list: 'get-l1-transaction-actors',
    summary: 'Actors of L1 transactions',
    needs: ['HotspotData'],
  },
})
