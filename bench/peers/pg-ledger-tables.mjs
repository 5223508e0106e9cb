import { instantText } from './pg-json.mjs'

/** Tables of the ledger and of hotspots: their path, what finds one record, the order of their list, and their members in order. */

const events = 'block, transaction_hash, source, ordinal'
const inventory = { envelope: 'objects', order: 'address' }
const words = (text) => text.split(' ')

export const tables = {
  l1_accounts: {
    ...{ ...inventory, path: '/l1/accounts', keys: ['address'] },
    members: words(
      'address balance nonce dc_balance dc_nonce security_balance security_nonce first_block last_block staked_balance mobile_balance iot_balance',
    ),
  },
  l1_gateways: {
    ...{ ...inventory, path: '/l1/gateways', keys: ['address'] },
    members: words(
      'address owner_address payer_address location location_hex last_poc_challenge last_poc_onion_key_hash witnesses first_block last_block nonce name first_timestamp reward_scale elevation gain mode',
    ),
  },
  l1_transactions: {
    ...{ envelope: 'objects', path: '/l1/transactions', keys: ['transaction_hash'], order: events },
    members: words('block transaction_hash type fields time'),
  },
  l1_transaction_actors: {
    ...{ envelope: 'objects', path: '/l1/transaction-actors', order: events },
    members: words('actor_address actor_role transaction_hash block'),
  },
  l1_packets: {
    ...{ envelope: 'objects', path: '/l1/packets', order: events },
    members: words('block transaction_hash time gateway_address num_packets num_dcs'),
  },
  l1_rewards: {
    ...{ envelope: 'objects', path: '/l1/rewards', order: events },
    members: words('block transaction_hash time account_address gateway_address amount type'),
  },
  l1_dc_burns: {
    ...{ envelope: 'objects', path: '/l1/dc-burns', order: events },
    members: words('block transaction_hash actor_address type amount oracle_price time'),
  },
  hotspots: {
    ...{ envelope: 'records', path: '/l2/hotspots', keys: ['asset_id', 'ecc_key'], order: 'name, asset_id' },
    members: [
      ...words('asset_id ecc_key owner networks name'),
      {
        ...{ name: 'iot_info', prefix: 'iot_' },
        members: words(
          'location elevation gain is_full_hotspot num_location_asserts is_active dc_onboarding_fee_paid',
        ),
      },
      {
        ...{ name: 'mobile_info', prefix: 'mobile_' },
        members: words(
          'location is_full_hotspot num_location_asserts is_active dc_onboarding_fee_paid device_type antenna azimuth mechanical_down_tilt electrical_down_tilt',
        ),
      },
      'maker',
    ],
  },
}

/** Texts in quotes; all other columns are integers, decimals, flags and JSON, which stand in a record as they come. */
const quoted = new Set(
  words(
    'address owner_address payer_address location location_hex last_poc_onion_key_hash name mode transaction_hash type actor_address actor_role gateway_address account_address asset_id ecc_key owner mobile_device_type',
  ),
)
const flags = /_is_(full_hotspot|active)$/
const asQuoted = (text) => (text === null ? 'null' : JSON.stringify(text))
const asFlag = (text) => (text === null ? 'null' : text === 't' ? 'true' : 'false')
const asInstant = (text) => (text === null ? 'null' : `"${instantText(text)}"`)
const asItCame = (text) => text ?? 'null'

function kindOf(column) {
  if (column === 'first_timestamp') return asInstant
  if (flags.test(column)) return asFlag
  return quoted.has(column) ? asQuoted : asItCame
}

/** What a SELECT of whole records gives. */
export function columnsOf({ members }) {
  const columns = members.flatMap((one) => (one.members ? one.members.map((name) => one.prefix + name) : one))
  const exact = { reward_scale: 'coalesce(reward_scale_exact, reward_scale::text)' }
  return ['id', ...columns].map((column) => exact[column] ?? column).join(', ')
}

/** Makes the text of a record out of such a row. */
export function recordWriter({ members }) {
  const parts = []
  const add = (before, column) => parts.push({ before, write: kindOf(column) })
  for (const one of members) {
    if (one.members === undefined) {
      add(`,"${one}":`, one)
      continue
    }
    for (const [at, name] of one.members.entries()) {
      add(at === 0 ? `,"${one.name}":{"${name}":` : `,"${name}":`, one.prefix + name)
    }
    parts.at(-1).after = '}'
  }
  return (row) => {
    let text = `{"id":"${row[0]}"`
    for (let at = 0; at < parts.length; at += 1) {
      const { before, write, after = '' } = parts[at]
      text += before + write(row[at + 1]) + after
    }
    return `${text}}`
  }
}
