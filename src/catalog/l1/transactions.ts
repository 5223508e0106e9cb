import { object, optional, text } from '../column.ts'
import { defineResource, same } from '../resource.ts'
import { block, equal, eventColumns, eventOrder, time, timeRange, transactionHash } from './ledger-events.ts'

export const l1Transactions = defineResource({
  name: 'l1_transactions',
  doc: 'A transaction of the L1 ledger.',
  columns: {
    ...eventColumns,
    type: text('Type, such as payment_v2.'),
    fields: optional(object('What the transaction says; its members depend on the type.')),
    time,
  },
  order: eventOrder,
  partition: { by: 'month', of: 'time' },
  key: 'transaction_hash',
  arrival: {
    as: 'csv',
    folder: 'transactions',
    cells: { block: 'block', hash: 'transaction_hash', type: 'type', fields: 'fields', time: 'time' },
  },
  access: {
    bounds: ['block', 'time'],
    counts: ['type'],
    copies: [],
    pointers: ['transaction_hash'],
    chunkRows: 4096,
  },
  record: same('block', 'transaction_hash', 'type', 'fields', 'time'),
  filters: {
    transaction_hash: transactionHash,
    type: equal('type', 'Type of the transaction.'),
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
})
