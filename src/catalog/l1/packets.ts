import { optional, text, whole } from '../column.ts'
import { asColumns } from '../members.ts'
import { defineResource } from '../resource.ts'
import { block, equal, eventColumns, eventOrder, time, timeRange, transactionHash } from './ledger-events.ts'

export const l1Packets = defineResource({
  name: 'l1_packets',
  doc: 'Packets that a gateway carried, as one state channel of the L1 ledger summed them.',
  columns: {
    ...eventColumns,
    time,
    gateway_address: optional(text('Gateway that carried them.')),
    num_packets: whole('Packets.'),
    num_dcs: whole('Data Credits paid for them.'),
  },
  order: eventOrder,
  partition: { by: 'month', of: 'time' },
  arrival: {
    as: 'csv',
    folder: 'packets',
    cells: {
      block: 'block',
      transaction_hash: 'transaction_hash',
      time: 'time',
      gateway: 'gateway_address',
      num_packets: 'num_packets',
      num_dcs: 'num_dcs',
    },
  },
  access: {
    bounds: ['block', 'time'],
    counts: [],
    sorted: ['gateway_address'],
    pointers: ['transaction_hash'],
  },
  record: asColumns('block', 'transaction_hash', 'time', 'gateway_address', 'num_packets', 'num_dcs'),
  filters: {
    gateway_address: equal('gateway_address', 'Gateway that carried them.'),
    transaction_hash: transactionHash,
    block,
    ...timeRange,
  },
  rest: {
    path: '/l1/packets',
    envelope: 'objects',
    list: 'get-l1-packets',
    summary: 'Packets that L1 gateways carried',
    needs: ['HotspotData'],
  },
})
