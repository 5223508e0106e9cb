import {
  amount,
  decimal,
  instant,
  json,
  type ListShape,
  long,
  oneOf,
  optional,
  origin,
  text,
  texts,
} from '../column.ts'
import { asColumns, type Member, type Members } from '../members.ts'
import { type NetworkId, networkIds, rewardTokensOf } from '../networks.ts'
import { defineResource, namesOf } from '../resource.ts'

const exact = (name: string) => optional(text(`${name} as the manifest writes it.`))
function truncated<const Name extends string>(name: Name) {
  const exact = `${name}_exact` as const
  const members = { [name]: { derive: 'truncated', of: exact }, [exact]: exact }
  return members as Record<Name | typeof exact, Member<typeof exact>>
}

const promotions: ListShape = {
  name: 'ServiceProviderPromotion',
  members: {
    service_provider: 'text',
    incentive_escrow_fund_bps: 'long',
    promotions: {
      name: 'Promotion',
      members: { entity: 'text', start_ts: 'instant', end_ts: 'instant', shares: 'long' },
    },
  },
}

const cases = {
  iot: {
    poc_bones_per_beacon_reward_share: 'poc_bones_per_beacon_reward_share_exact',
    poc_bones_per_witness_reward_share: 'poc_bones_per_witness_reward_share_exact',
    ...truncated('dc_bones_per_share'),
    ...asColumns('token'),
  },
  mobile: {
    ...truncated('poc_bones_per_reward_share'),
    ...truncated('boosted_poc_bones_per_reward_share'),
    ...asColumns('service_provider_promotions', 'token'),
  },
} as const satisfies Readonly<Record<NetworkId, Members>>

export const rewardManifests = defineResource({
  name: 'reward_manifests',
  doc: 'Manifest of the reward files of one epoch: their names, token and price.',
  columns: {
    ...origin,
    written_files: texts('Names of the reward files it speaks for.'),
    start_timestamp: instant('Start of the epoch, UTC.'),
    end_timestamp: instant('End of the epoch, UTC.'),
    epoch: long('Days since 1970-01-01; 0 when the manifest leaves it out.'),
    price: amount('Token price: USD times 10^8 for the main token, 10^6 for others; 0 when left out.'),
    reward_type: oneOf(namesOf(cases), 'Network; chooses the variant of reward_detail.'),
    token: optional(oneOf(networkIds.flatMap(rewardTokensOf), 'Token that the shares are paid in.')),
    poc_bones_per_beacon_reward_share: optional(decimal('Bones for one beacon share.')),
    poc_bones_per_beacon_reward_share_exact: exact('poc_bones_per_beacon_reward_share'),
    poc_bones_per_witness_reward_share: optional(decimal('Bones for one witness share.')),
    poc_bones_per_witness_reward_share_exact: exact('poc_bones_per_witness_reward_share'),
    dc_bones_per_share: optional(decimal('Bones for one data credit.')),
    dc_bones_per_share_exact: exact('dc_bones_per_share'),
    poc_bones_per_reward_share: optional(decimal('Bones for one coverage share.')),
    poc_bones_per_reward_share_exact: exact('poc_bones_per_reward_share'),
    boosted_poc_bones_per_reward_share: optional(decimal('Bones for one boosted coverage share.')),
    boosted_poc_bones_per_reward_share_exact: exact('boosted_poc_bones_per_reward_share'),
    service_provider_promotions: optional(json('Promotions per service provider.', promotions)),
  },
  order: [
    { column: 'end_timestamp' },
    { column: 'source_file' },
    // Both networks may write a manifest of the same name.
    { column: 'reward_type' },
    { column: 'ordinal' },
  ],
  partition: { by: 'month', of: 'end_timestamp' },
  arrival: {
    as: 'messages',
    kind: 'reward_manifest',
    prefixes: ['reward_manifest', 'network_reward_manifest_v1'],
  },
  record: asColumns('written_files', 'start_timestamp', 'end_timestamp', 'epoch', 'price', 'reward_type'),
  variants: { on: 'reward_type', as: 'reward_detail', cases },
  filters: {
    from: {
      column: 'end_timestamp',
      match: 'atLeast',
      doc: 'Earliest end of the epoch, included. ISO 8601; a bare date means 00:00 UTC.',
    },
    to: {
      column: 'end_timestamp',
      match: 'atMost',
      doc: 'Latest end of the epoch, included. ISO 8601; a bare date means 00:00 UTC.',
    },
  },
  graphql: {
    query: 'rewardManifests',
    node: 'RewardManifest',
    fields: asColumns('written_files', 'start_timestamp', 'end_timestamp', 'epoch', 'price'),
    detail: { as: 'reward_data', before: 'RewardManifest', behind: 'Data' },
    arguments: {
      startTimestamp: { filter: 'from', required: true },
      endTimestamp: { filter: 'to', required: true },
    },
  },
})
