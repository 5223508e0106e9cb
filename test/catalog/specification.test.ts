import { describe, expect, it } from 'vitest'
import type { Kind } from '../../src/catalog/column.ts'
import type { Derivation, Member, Nested, RecordMembers } from '../../src/catalog/members.ts'
import { rewardTokens } from '../../src/catalog/networks.ts'
import type { Resource } from '../../src/catalog/resource.ts'
import { resourceNamed } from '../../src/catalog/resources.ts'
import { openKindReader } from '../../src/write/ingest/decode/kinds.ts'
import { artifactKinds } from '../../src/write/ingest/files/artifact.ts'
import {
  type Fields,
  iotVariants,
  type JsonType,
  mobileVariants,
} from '../support/messages/share-variants.ts'
import { some } from '../support/some.ts'

// Everything below was typed from the specification, chapter by chapter. Nothing is taken from the catalog.

/** The specification's members, and the exact texts that stand beside cut integers. */
const manifestVariants: Readonly<Record<string, Fields>> = {
  iot: {
    poc_bones_per_beacon_reward_share: 'string',
    poc_bones_per_witness_reward_share: 'string',
    dc_bones_per_share: 'integer',
    dc_bones_per_share_exact: 'string',
    token: 'string',
  },
  mobile: {
    poc_bones_per_reward_share: 'integer',
    poc_bones_per_reward_share_exact: 'string',
    boosted_poc_bones_per_reward_share: 'integer',
    boosted_poc_bones_per_reward_share_exact: 'string',
    service_provider_promotions: 'objects',
    token: 'string',
  },
}

const shareFields: Fields = { reward_type: 'string', start_period: 'string', end_period: 'string' }

const typeOfKind: Readonly<Record<Kind, JsonType>> = {
  text: 'string',
  choice: 'string',
  amount: 'integer',
  long: 'integer',
  whole: 'integer',
  integer: 'integer',
  decimal: 'number',
  instant: 'string',
  seconds: 'integer',
  cell: 'integer',
  uuid: 'string',
  boolean: 'boolean',
  bytes: 'string',
  texts: 'strings',
  json: 'objects',
  object: 'object',
}

const typeOfDerivation: Readonly<Record<Derivation, JsonType>> = {
  formatted: 'string',
  offloaded_bytes: 'number',
  number: 'number',
  truncated: 'integer',
}

function declared(resource: Resource, members: RecordMembers | undefined): Fields {
  const typeOf = (member: Member | Nested): JsonType | Fields => {
    if (typeof member === 'string') return typeOfKind[resource.columns[member]?.kind ?? 'bytes']
    return 'members' in member ? declared(resource, member.members) : typeOfDerivation[member.derive]
  }
  return Object.fromEntries(Object.entries(members ?? {}).map(([name, member]) => [name, typeOf(member)]))
}

function named(name: string): Resource {
  const resource = resourceNamed(name)
  if (resource === undefined) throw new Error(`there is no resource ${name}`)
  return resource
}

describe.each([
  ['iot_reward_shares', shareFields, iotVariants],
  ['mobile_reward_shares', shareFields, mobileVariants],
  [
    'reward_manifests',
    {
      written_files: 'strings',
      start_timestamp: 'string',
      end_timestamp: 'string',
      epoch: 'integer',
      price: 'integer',
      reward_type: 'string',
    },
    manifestVariants,
  ],
] as const)('%s', (name, fields, variants) => {
  const resource = named(name)

  it('has the fields of the specification with their types, and no others', () => {
    expect(declared(resource, resource.record)).toEqual(fields)
  })

  it('nests the variants of the specification under reward_detail, chosen by reward_type', () => {
    expect(resource.variants).toMatchObject({ on: 'reward_type', as: 'reward_detail' })
    expect(Object.keys(resource.variants?.cases ?? {}).sort()).toEqual(Object.keys(variants).sort())
  })

  it.each(Object.entries(variants))('%s has its fields with their types, and no others', (type, members) => {
    expect(declared(resource, resource.variants?.cases[type])).toEqual(members)
  })
})

describe('allowed values', () => {
  it.each([
    ['iot_reward_shares', 'reward_type', ['gateway_reward', 'operational_reward', 'unallocated_reward']],
    [
      'iot_reward_shares',
      'unallocated_reward_type',
      [
        'unallocated_reward_type_poc',
        'unallocated_reward_type_operation',
        'unallocated_reward_type_oracle',
        'unallocated_reward_type_data',
      ],
    ],
    [
      'mobile_reward_shares',
      'reward_type',
      [
        'radio_reward',
        'gateway_reward',
        'subscriber_reward',
        'service_provider_reward',
        'unallocated_reward',
        'radio_reward_v2',
        'promotion_reward',
      ],
    ],
    [
      'mobile_reward_shares',
      'unallocated_reward_type',
      [
        'unallocated_reward_type_poc',
        'unallocated_reward_type_discovery_location',
        'unallocated_reward_type_mapper',
        'unallocated_reward_type_service_provider',
        'unallocated_reward_type_oracle',
        'unallocated_reward_type_data',
      ],
    ],
    ['reward_manifests', 'reward_type', ['iot', 'mobile']],
    [
      'reward_manifests',
      'token',
      [
        'iot_reward_token_iot',
        'iot_reward_token_main',
        'mobile_reward_token_mobile',
        'mobile_reward_token_main',
      ],
    ],
  ])('of %s.%s equal the specification', (name, column, values) => {
    expect(named(name).columns[column]?.choices).toEqual(values)
  })
})

describe('totals', () => {
  it('of IoT are the four sums of the specification', () => {
    expect(named('iot_reward_shares').totals).toEqual({
      total_beacon_amount: 'beacon_amount',
      total_witness_amount: 'witness_amount',
      total_dc_transfer_amount: 'dc_transfer_amount',
      total_amount: 'amount',
    })
  })

  it('of Mobile are the seven sums of the specification', () => {
    expect(named('mobile_reward_shares').totals).toEqual({
      total_dc_transfer_reward: 'dc_transfer_reward',
      total_poc_reward: 'poc_reward',
      total_subscriber_reward: 'subscriber_reward',
      total_discovery_location_amount: 'discovery_location_amount',
      total_service_provider_amount: 'service_provider_amount',
      total_matched_amount: 'matched_amount',
      total_offloaded_bytes: { derive: 'offloaded_bytes', of: 'dc_transfer_reward' },
    })
  })
})

describe('operations', () => {
  it.each([
    ['iot_reward_shares', '/l2/iot-reward-shares', 'get-iot-rewards', 'get-iot-reward-totals'],
    ['mobile_reward_shares', '/l2/mobile-reward-shares', 'get-mobile-rewards', 'get-mobile-reward-totals'],
  ])('of %s are at %s with records', (name, path, list, totals) => {
    expect(named(name).rest).toMatchObject({ path, envelope: 'records', list, totals })
  })

  it.each(['iot_reward_shares', 'mobile_reward_shares'])(
    '%s require from and to, and take hotspot_key and reward_type',
    (name) => {
      const filters = Object.entries(named(name).filters ?? {})
      expect(
        filters.map(([filter, { column, match, required }]) => [filter, match, column, required]),
      ).toEqual([
        ['from', 'atLeast', 'end_period', true],
        ['to', 'atMost', 'end_period', true],
        ['hotspot_key', 'equals', 'hotspot_key', undefined],
        ['reward_type', 'equals', 'reward_type', undefined],
      ])
    },
  )

  it('manifests and witness reports have no REST operation', () => {
    expect(named('reward_manifests').rest).toBeUndefined()
    expect(named('iot_witness_ingest_reports').rest).toBeUndefined()
    expect(named('rejects').rest).toBeUndefined()
  })
})

it('tokens have the number of decimals that the specification gives', () => {
  expect([...rewardTokens].map(([name, { decimals }]) => [name, decimals])).toEqual([
    ['iot_reward_token_iot', 6],
    ['iot_reward_token_main', 8],
    ['mobile_reward_token_mobile', 6],
    ['mobile_reward_token_main', 8],
  ])
})

describe('files of oracles', () => {
  it.each([
    ['reward_manifests', 'reward_manifest', 'reward_manifest network_reward_manifest_v1'],
    ['iot_reward_shares', 'iot_reward_share', 'iot_reward_share iot_network_reward_shares_v1'],
    ['mobile_reward_shares', 'mobile_reward_share', 'mobile_reward_share mobile_network_reward_shares_v1'],
    ['iot_witness_ingest_reports', 'iot_witness_ingest_report', 'iot_witness_ingest_report'],
  ])('%s arrive as %s', (name, kind, prefixes) => {
    const resource = resourceNamed(name)
    expect(resource?.arrival).toMatchObject({ as: 'messages', kind, prefixes: prefixes.split(' ') })
    expect(openKindReader(kind).decoder.resource).toBe(resource)
  })

  it('are ingested manifests first, makers before hotspots, and the archive last', () => {
    const kinds =
      'reward_manifest iot_reward_share mobile_reward_share iot_witness_ingest_report makers hotspots'
    expect(artifactKinds.slice(0, 6).join(' ')).toBe(kinds)
    expect(artifactKinds.slice(6)).toEqual(some(artifactKinds.filter((kind) => kind.startsWith('l1_'))))
  })
})
