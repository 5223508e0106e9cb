import { describe, expect, it } from 'vitest'
import type { Member, Nested } from '../../src/catalog/members.ts'
import type { Resource } from '../../src/catalog/resource.ts'
import { resourceNamed, resources } from '../../src/catalog/resources.ts'
import { some } from '../support/some.ts'
import { networks, specifiedLists } from '../support/specified.ts'

// Typed from the specification's chapters on makers, hotspots and L1, and from the archive's columns. Nothing is taken from the catalog.

function named(name: string): Resource {
  const resource = resourceNamed(name)
  if (resource === undefined) throw new Error(`there is no resource ${name}`)
  return resource
}

/** Members of a record, those of objects as `iot_info.location`. */
function members(resource: Resource): readonly string[] {
  return Object.entries(resource.record ?? {}).flatMap(
    ([name, member]: readonly [string, Member | Nested]) =>
      typeof member === 'object' && 'members' in member
        ? Object.keys(member.members).map((own) => `${name}.${own}`)
        : [name],
  )
}

const iotInfo =
  'location elevation gain is_full_hotspot num_location_asserts is_active dc_onboarding_fee_paid'
const mobileInfo =
  'location is_full_hotspot num_location_asserts is_active dc_onboarding_fee_paid device_type antenna azimuth ' +
  'mechanical_down_tilt electrical_down_tilt'
const within = (name: string, fields: string) =>
  fields
    .split(' ')
    .map((field) => `${name}.${field}`)
    .join(' ')

describe('records have the members', () => {
  it.each([
    [
      'makers',
      'address update_authority issuing_authority name bump_seed collection merkle_tree collection_bump_seed dao',
    ],
    [
      'hotspots',
      `asset_id ecc_key owner networks name ${within('iot_info', iotInfo)} ${within('mobile_info', mobileInfo)}`,
    ],
    [
      'l1_accounts',
      'address balance nonce dc_balance dc_nonce security_balance security_nonce first_block last_block ' +
        'staked_balance mobile_balance iot_balance',
    ],
    ['l1_transactions', 'block transaction_hash type fields time'],
    ['l1_transaction_actors', 'actor_address actor_role transaction_hash block'],
    ['l1_dc_burns', 'block transaction_hash actor_address type amount oracle_price time'],
    [
      'l1_gateways',
      'address owner_address payer_address location location_hex last_poc_challenge last_poc_onion_key_hash ' +
        'witnesses first_block last_block nonce name first_timestamp reward_scale elevation gain mode',
    ],
    ['l1_packets', 'block transaction_hash time gateway_address num_packets num_dcs'],
    ['l1_rewards', 'block transaction_hash time account_address gateway_address amount type'],
  ])('of %s', (name, expected) => {
    expect([...members(named(name))].sort()).toEqual(expected.split(' ').sort())
  })

  it('maker and reward_manifest, if the specification embeds them', () => {
    const embedding = resources.flatMap(({ name, embeds }) => (embeds === undefined ? [] : [[name, embeds]]))
    expect(Object.fromEntries(embedding)).toEqual({
      ...Object.fromEntries(networks.map((id) => [`${id}_reward_shares`, { reward_manifest: 'manifest' }])),
      hotspots: { maker: 'maker' },
    })
  })
})

describe('operations', () => {
  it.each([
    ['makers', '/l2/makers', 'objects', 'get-makers', 'get-maker', 'Maker', 'address', ''],
    [
      'hotspots',
      '/l2/hotspots',
      'records',
      'get-hotspots',
      'get-hotspot',
      'Hotspot',
      'asset_id ecc_key',
      'owner asset_id ecc_key networks maker_id iot_location mobile_location name',
    ],
    [
      'l1_accounts',
      '/l1/accounts',
      'objects',
      'get-l1-accounts',
      'get-l1-account',
      'Account',
      'address',
      'address',
    ],
    [
      'l1_transactions',
      '/l1/transactions',
      'objects',
      'get-l1-transactions',
      'get-l1-transaction',
      'Transaction',
      'transaction_hash',
      'transaction_hash type block from to',
    ],
    [
      'l1_gateways',
      '/l1/gateways',
      'objects',
      'get-l1-gateways',
      'get-l1-gateway',
      'Gateway',
      'address',
      'address owner_address payer_address mode name location_hex',
    ],
  ])('of %s are at %s, with a lookup', (name, path, envelope, list, operation, thing, by, filters) => {
    const { rest, filters: own = {} } = named(name)
    expect(rest).toMatchObject({ path, envelope, list, find: { operation, thing, by: by.split(' ') } })
    expect(Object.keys(own).join(' ')).toBe(filters)
  })

  it.each([
    [
      'l1_transaction_actors',
      '/l1/transaction-actors',
      'get-l1-transaction-actors',
      'actor_address actor_role transaction_hash block',
    ],
    ['l1_dc_burns', '/l1/dc-burns', 'get-l1-dc-burns', 'actor_address transaction_hash type block from to'],
    ['l1_packets', '/l1/packets', 'get-l1-packets', 'gateway_address transaction_hash block from to'],
    [
      'l1_rewards',
      '/l1/rewards',
      'get-l1-rewards',
      'account_address gateway_address transaction_hash type block from to',
    ],
  ])('of %s are at %s, without a lookup', (name, path, list, filters) => {
    const { rest, filters: own = {} } = named(name)
    expect(rest).toMatchObject({ path, envelope: 'objects', list })
    expect(rest?.find).toBeUndefined()
    expect(Object.keys(own).join(' ')).toBe(filters)
  })

  it('are exactly the specified lists, lookups and totals', () => {
    const faces = resources.flatMap(({ rest }) => (rest === undefined ? [] : [rest]))
    expect(faces.map(({ list, find, totals }) => [list, find?.operation, totals])).toEqual(
      specifiedLists.map(({ list, find, totals }) => [list, find, totals]),
    )
  })

  it('require no filter on L1', () => {
    const l1 = some(resources.filter(({ name }) => name.startsWith('l1_')))
    const required = l1.flatMap(({ filters }) =>
      Object.values(filters ?? {}).filter((filter) => filter.required),
    )
    expect(required).toEqual([])
  })
})

describe('the archive', () => {
  it.each([
    [
      'account_inventory',
      'l1_accounts',
      'address balance nonce dc_balance dc_nonce security_balance security_nonce first_block last_block ' +
        'staked_balance mobile_balance iot_balance',
    ],
    [
      'gateway_inventory',
      'l1_gateways',
      'address owner location last_poc_challenge last_poc_onion_key_hash witnesses first_block last_block nonce name ' +
        'first_timestamp reward_scale elevation gain location_hex mode payer',
    ],
    ['transactions', 'l1_transactions', 'block hash type fields time'],
    ['transaction_actors', 'l1_transaction_actors', 'actor actor_role transaction_hash block'],
    ['packets', 'l1_packets', 'block transaction_hash time gateway num_packets num_dcs'],
    ['rewards', 'l1_rewards', 'block transaction_hash time account gateway amount type'],
    ['dc_burns', 'l1_dc_burns', 'block transaction_hash actor type amount oracle_price time'],
  ])('has %s, which become %s', (folder, name, cells) => {
    const { arrival, columns } = named(name)
    if (arrival?.as !== 'csv') throw new Error(`${name} does not arrive as CSV`)
    expect(arrival.folder).toBe(folder)
    expect(Object.keys(arrival.cells).join(' ')).toBe(cells)
    for (const column of Object.values(arrival.cells)) expect(Object.keys(columns)).toContain(column)
  })

  it('has other names for some columns', () => {
    const renamed = resources.flatMap(({ arrival }) =>
      arrival?.as === 'csv' ? Object.entries(arrival.cells).filter(([cell, column]) => cell !== column) : [],
    )
    expect(new Set(renamed.map((pair) => pair.join(' ')))).toEqual(
      new Set([
        'hash transaction_hash',
        'actor actor_address',
        'owner owner_address',
        'payer payer_address',
        'gateway gateway_address',
        'account account_address',
      ]),
    )
  })
})

describe('the access of a table', () => {
  it('has bounds for columns without nulls, among them the first column of the order', () => {
    for (const { name, access, columns, order } of some(
      resources.filter((one) => one.access !== undefined),
    )) {
      if (access === undefined) continue
      expect(access.bounds, name).toContain(order[0]?.column)
      for (const bound of access.bounds) expect(columns[bound]?.nullable, `${name}.${bound}`).toBe(false)
      for (const column of [...access.counts, ...access.sorted, ...access.pointers]) {
        expect(Object.keys(columns), name).toContain(column)
      }
    }
  })
})
