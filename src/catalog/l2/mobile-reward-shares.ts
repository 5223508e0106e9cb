import { amount, bytes, decimal, instant, long, oneOf, optional, text } from '../column.ts'
import { asColumns, withFormatted } from '../members.ts'
import { defineResource, namesOf } from '../resource.ts'
import { periodColumns, rewardShareArguments, rewardShareGroups, rewardShareTable } from './reward-periods.ts'

/** The lists below are in the order of their numbers on the wire. */
export const mobileUnallocatedRewardTypes = [
  'unallocated_reward_type_poc',
  'unallocated_reward_type_discovery_location',
  'unallocated_reward_type_mapper',
  'unallocated_reward_type_service_provider',
  'unallocated_reward_type_oracle',
  'unallocated_reward_type_data',
] as const

export const serviceProviders = ['helium_mobile'] as const

export const spBoostedHexStatuses = [
  'sp_boosted_hex_status_eligible',
  'sp_boosted_hex_status_location_score_below_threshold',
  'sp_boosted_hex_status_radio_threshold_not_met',
  'sp_boosted_hex_status_service_provider_ban',
  'sp_boosted_hex_status_average_asserted_distance_over_limit',
  'sp_boosted_hex_status_not_enough_connections',
] as const

export const oracleBoostedHexStatuses = [
  'oracle_boosted_hex_status_eligible',
  'oracle_boosted_hex_status_banned',
  'oracle_boosted_hex_status_qualified',
] as const

const exact = (name: string) => optional(text(`The text of ${name} where 18 decimals cannot hold it.`))
const number = <const Name extends string>(of: Name) => ({ derive: 'number', of }) as const

/** Members that explain the coverage reward of a v2 radio. */
const coverageMembers = {
  base_coverage_points_sum: number('base_coverage_points_sum'),
  boosted_coverage_points_sum: number('boosted_coverage_points_sum'),
  base_reward_shares: number('base_reward_shares'),
  boosted_reward_shares: number('boosted_reward_shares'),
  ...asColumns('base_poc_reward', 'boosted_poc_reward', 'seniority_timestamp', 'coverage_object'),
  location_trust_score_multiplier: number('location_trust_score_multiplier'),
  speedtest_multiplier: number('speedtest_multiplier'),
  ...asColumns('sp_boosted_hex_status', 'oracle_boosted_hex_status'),
}

/** Variants, in the order of their numbers on the wire. */
const cases = {
  radio_reward: {
    ...asColumns('hotspot_key', 'cbsd_id'),
    ...withFormatted('dc_transfer_reward', 'poc_reward'),
    offloaded_bytes: { derive: 'offloaded_bytes', of: 'dc_transfer_reward' },
  },
  gateway_reward: {
    ...asColumns('hotspot_key'),
    ...withFormatted('dc_transfer_reward'),
    offloaded_bytes: { derive: 'offloaded_bytes', of: 'dc_transfer_reward' },
  },
  subscriber_reward: {
    ...asColumns('subscriber_id'),
    ...withFormatted('discovery_location_amount', 'subscriber_reward'),
  },
  service_provider_reward: { ...asColumns('service_provider_id'), ...withFormatted('amount') },
  unallocated_reward: { ...asColumns('unallocated_reward_type'), ...withFormatted('amount') },
  radio_reward_v2: { ...asColumns('hotspot_key', 'cbsd_id'), ...coverageMembers },
  promotion_reward: asColumns('entity', 'service_provider_amount', 'matched_amount'),
} as const

export const mobileRewardTypes = namesOf(cases)

/** Totals of the specification, which leaves out the coverage reward of v2 radios. */
const totals = {
  total_dc_transfer_reward: 'dc_transfer_reward',
  total_poc_reward: 'poc_reward',
  total_subscriber_reward: 'subscriber_reward',
  total_discovery_location_amount: 'discovery_location_amount',
  total_service_provider_amount: 'service_provider_amount',
  total_matched_amount: 'matched_amount',
  total_offloaded_bytes: { derive: 'offloaded_bytes', of: 'dc_transfer_reward' },
} as const

export const mobileRewardShares = defineResource({
  ...rewardShareTable,
  name: 'mobile_reward_shares',
  doc: 'One reward for one period on the Mobile network.',
  columns: {
    ...periodColumns(mobileRewardTypes),
    hotspot_key: optional(text('Hotspot that earned it.')),
    cbsd_id: optional(text('Radio of the hotspot; empty for Wi-Fi.')),
    dc_transfer_reward: optional(amount('Reward for offloaded data, in bones.')),
    poc_reward: optional(amount('Reward for coverage of a v1 radio, in bones.')),
    coverage_points: optional(long('Coverage points of a v1 radio.')),
    rewardable_bytes: optional(amount('Offloaded bytes as the oracle counted them.')),
    price: optional(amount('Price the oracle used, in USD times 10^8.')),
    subscriber_id: optional(text('Mapper that earned it.')),
    discovery_location_amount: optional(amount('Reward for discovery mapping, in bones.')),
    subscriber_reward: optional(
      amount('Reward for verification mapping (verification_mapping_amount), in bones.'),
    ),
    reward_override_entity_key: optional(text('Entity paid instead of the subscriber; empty for none.')),
    service_provider_id: optional(oneOf(serviceProviders, 'Service provider that earned it.')),
    rewardable_entity_key: optional(text('Entity paid for the service provider; empty for none.')),
    unallocated_reward_type: optional(
      oneOf(mobileUnallocatedRewardTypes, 'The part of the emission nobody earned.'),
    ),
    amount: optional(amount('Service provider or unallocated reward, in bones.')),
    base_coverage_points_sum: optional(decimal('Coverage points before boosts.')),
    base_coverage_points_sum_exact: exact('base_coverage_points_sum'),
    boosted_coverage_points_sum: optional(decimal('Coverage points by boosts.')),
    boosted_coverage_points_sum_exact: exact('boosted_coverage_points_sum'),
    base_reward_shares: optional(decimal('Shares before boosts.')),
    base_reward_shares_exact: exact('base_reward_shares'),
    boosted_reward_shares: optional(decimal('Shares by boosts.')),
    boosted_reward_shares_exact: exact('boosted_reward_shares'),
    base_poc_reward: optional(amount('Coverage reward before boosts, in bones.')),
    boosted_poc_reward: optional(amount('Coverage reward by boosts, in bones.')),
    seniority_timestamp: optional(instant('Since when the radio has stood there, UTC.')),
    coverage_object: optional(bytes('The 16 bytes of the coverage object id.')),
    location_trust_score_multiplier: optional(decimal('Multiplier by location trust.')),
    location_trust_score_multiplier_exact: exact('location_trust_score_multiplier'),
    speedtest_multiplier: optional(decimal('Multiplier by speed tests.')),
    speedtest_multiplier_exact: exact('speedtest_multiplier'),
    sp_boosted_hex_status: optional(oneOf(spBoostedHexStatuses, 'Whether provider boosts applied.')),
    oracle_boosted_hex_status: optional(oneOf(oracleBoostedHexStatuses, 'Whether oracle boosts applied.')),
    entity: optional(text('Entity that a promotion pays.')),
    service_provider_amount: optional(amount('Part of a promotion paid by the provider, in bones.')),
    matched_amount: optional(amount('Part of a promotion matched by the network, in bones.')),
  },
  arrival: {
    as: 'messages',
    kind: 'mobile_reward_share',
    prefixes: ['mobile_reward_share', 'mobile_network_reward_shares_v1'],
    unreadable: {
      radio_reward_share:
        'its amounts have 8 or 6 decimals, which the file does not say, and those since April 2023 repeat mobile_reward_share files',
    },
  },
  variants: {
    on: 'reward_type',
    as: 'reward_detail',
    cases,
    mayLack: ['seniority_timestamp', 'coverage_object'],
  },
  totals,
  earned: ['dc_transfer_reward', 'poc_reward', 'base_poc_reward', 'boosted_poc_reward'],
  series: {
    operation: 'get-mobile-reward-series',
    path: '/totals/series',
    sums: {
      ...totals,
      total_base_poc_reward: 'base_poc_reward',
      total_boosted_poc_reward: 'boosted_poc_reward',
      total_amount: 'amount',
    },
    groupBy: { ...rewardShareGroups, service_provider: 'service_provider_id' },
    start: 'start_period',
  },
  rest: {
    path: '/l2/mobile-reward-shares',
    envelope: 'records',
    list: 'get-mobile-rewards',
    totals: 'get-mobile-reward-totals',
    summary: 'Mobile reward shares of a time range',
    totalsNeed: ['OracleData', 'Aggregates'],
    hosted: {
      daily: 'get-mobile-reward-daily-totals',
      providers: 'get-mobile-reward-totals-by-service-provider',
      providerTotals: [
        'total_service_provider_amount',
        'total_matched_amount',
        'total_dc_transfer_reward',
        'total_offloaded_bytes',
      ],
    },
  },
  graphql: {
    query: 'mobileRewardShares',
    node: 'MobileRewardShare',
    persisted: 'mobile-reward-shares',
    fields: {
      ...asColumns(
        'hotspot_key',
        'cbsd_id',
        'amount',
        'start_period',
        'end_period',
        'reward_type',
        'dc_transfer_reward',
        'poc_reward',
        'subscriber_id',
        'subscriber_reward',
        'discovery_location_amount',
        'unallocated_reward_type',
        'service_provider_id',
      ),
      ...coverageMembers,
      ...asColumns('entity', 'service_provider_amount', 'matched_amount'),
    },
    unfilled: { owner_key: 'Owner of the hotspot; no reward file names one, so it is null.' },
    detail: { as: 'reward_detail', before: 'Mobile', behind: 'Detail' },
    arguments: rewardShareArguments,
  },
})
