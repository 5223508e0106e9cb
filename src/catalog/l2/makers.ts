import { integer, origin, text, uuid } from '../column.ts'
import { asColumns } from '../members.ts'
import { defineResource } from '../resource.ts'

export const makers = defineResource({
  name: 'makers',
  doc: 'A maker of hotspots.',
  columns: {
    id: uuid('UUID that the import brought, or one that follows from the address.'),
    address: text('Address on the L2 ledger.'),
    update_authority: text('Address that may change the maker.'),
    issuing_authority: text('Address that may issue hotspots.'),
    name: text('Name.'),
    bump_seed: integer('Bump seed of the address.'),
    collection: text('Address of the collection of its hotspots.'),
    merkle_tree: text('Address of the tree that holds its hotspots.'),
    collection_bump_seed: integer('Bump seed of the collection.'),
    dao: text('Address of the organisation it belongs to.'),
    ...origin,
  },
  order: [{ column: 'name' }, { column: 'address' }],
  partition: null,
  key: 'address',
  holds: 'state',
  arrival: { as: 'records', name: 'makers' },
  record: {
    ...asColumns('address', 'update_authority', 'issuing_authority', 'name', 'bump_seed', 'collection'),
    ...asColumns('merkle_tree', 'collection_bump_seed', 'dao'),
  },
  rest: {
    path: '/l2/makers',
    envelope: 'objects',
    list: 'get-makers',
    find: { operation: 'get-maker', by: ['address'], thing: 'Maker' },
    summary: 'Makers of hotspots',
  },
  search: [{ kind: 'maker', by: { name: 'title', address: 'key' }, key: 'address', name: 'name' }],
})
