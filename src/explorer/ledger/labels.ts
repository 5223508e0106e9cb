import { words } from '../values/words.ts'

/** Labels of members of ledger records, in the order and groups in which a page shows them. */
export const labelGroups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'The record': {
    name: 'Name',
    type: 'Type',
    amount: 'Amount',
    owner_address: 'Owner',
    payer_address: 'Paid for adding it',
    mode: 'Mode',
    balance: 'HNT',
    staked_balance: 'Staked HNT',
    mobile_balance: 'MOBILE',
    iot_balance: 'IOT',
    dc_balance: 'Data Credits',
    security_balance: 'Security tokens',
    time: 'Time',
    first_timestamp: 'Added',
    block: 'Block',
    first_block: 'First block',
    last_block: 'Last changed in block',
    fields: 'Details',
    account_address: 'Account',
    gateway_address: 'Gateway',
    actor_role: 'Role',
    actor_address: 'Address',
    num_packets: 'Packets',
    num_dcs: 'Data Credits',
  },
  'Place and radio': {
    location: 'H3 cell',
    location_hex: 'H3 cell around it',
    elevation: 'Height above ground',
    gain: 'Antenna gain',
    reward_scale: 'Reward scale',
    last_poc_challenge: 'Last challenge in block',
    witnesses: 'Witnessed by',
  },
  'For programs': {
    address: 'Address',
    transaction_hash: 'Transaction',
    nonce: 'Transactions sent',
    dc_nonce: 'Data Credit transactions',
    security_nonce: 'Security token transactions',
    last_poc_onion_key_hash: 'Key hash of the last challenge',
    id: 'Id of the record',
  },
}

const labels = new Map(Object.values(labelGroups).flatMap((group) => Object.entries(group)))

/** Returns the label of a member; without one its name in words. */
export const labelOf = (name: string) => labels.get(name) ?? words(name)

/** Writes the name of a hotspot as it is known: `kind-coffee-fox` is `Kind Coffee Fox`. */
export const nameText = (name: string) => name.split('-').map(words).join(' ')
