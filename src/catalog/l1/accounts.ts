import { address, origin, whole } from '../column.ts'
import { asColumns } from '../members.ts'
import { defineResource, namesOf } from '../resource.ts'
import { EITHER_SPELLING, equal } from './ledger-events.ts'

const columns = {
  address: address('l1', 'Address on the L1 ledger.'),
  balance: whole('Main tokens, in bones; a token is 100,000,000 bones.'),
  nonce: whole('Nonce of the newest transaction.'),
  dc_balance: whole('Data Credits.'),
  dc_nonce: whole('Nonce of Data Credit transactions.'),
  security_balance: whole('Security tokens, in bones.'),
  security_nonce: whole('Nonce of security token transactions.'),
  first_block: whole('First block with the account.'),
  last_block: whole('Last block in which the account was active.'),
  staked_balance: whole('Staked main tokens, in bones.'),
  mobile_balance: whole('Mobile tokens, in their smallest unit.'),
  iot_balance: whole('IoT tokens, in their smallest unit.'),
} as const

const names = namesOf(columns)

export const l1Accounts = defineResource({
  name: 'l1_accounts',
  doc: 'Balances of an account at the end of the L1 ledger.',
  columns: { ...columns, ...origin },
  order: [{ column: 'address' }],
  partition: null,
  key: 'address',
  holds: 'state',
  arrival: { as: 'csv', folder: 'account_inventory', cells: asColumns(...names) },
  access: { bounds: ['address'], counts: [], sorted: [], pointers: [], chunkRows: 4096 },
  record: asColumns(...names),
  filters: { address: equal('address', `Address of the account. ${EITHER_SPELLING}`) },
  rest: {
    path: '/l1/accounts',
    envelope: 'objects',
    list: 'get-l1-accounts',
    find: { operation: 'get-l1-account', by: ['address'], thing: 'Account' },
    summary: 'L1 accounts',
    needs: ['HotspotData'],
  },
  search: [{ kind: 'account', by: { address: 'key' }, key: 'address' }],
})
