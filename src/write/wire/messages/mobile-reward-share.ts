import {
  type mobileRewardShares,
  mobileUnallocatedRewardTypes,
  oracleBoostedHexStatuses,
  serviceProviders,
  spBoostedHexStatuses,
} from '../../../catalog/l2/mobile-reward-shares.ts'
import { columnFields, oneofMember, variants, type WireFields } from '../field.ts'

const { amount, choice, decimal, key, long, optionalBytes, optionalSeconds, seconds, text } = columnFields

export const mobileRewardShareFields: WireFields = {
  1: seconds('start_period'),
  2: seconds('end_period'),
  ...variants<typeof mobileRewardShares>({
    radio_reward: oneofMember(3, {
      1: key('hotspot_key'),
      2: text('cbsd_id'),
      3: amount('dc_transfer_reward'),
      4: amount('poc_reward'),
      5: long('coverage_points'),
      6: optionalSeconds('seniority_timestamp'),
      7: optionalBytes('coverage_object'),
    }),
    gateway_reward: oneofMember(4, {
      1: key('hotspot_key'),
      2: amount('dc_transfer_reward'),
      3: amount('rewardable_bytes'),
      4: amount('price'),
    }),
    subscriber_reward: oneofMember(5, {
      1: key('subscriber_id'),
      2: amount('discovery_location_amount'),
      3: amount('subscriber_reward'),
      4: text('reward_override_entity_key'),
    }),
    service_provider_reward: oneofMember(6, {
      1: choice('service_provider_id', serviceProviders),
      2: amount('amount'),
      3: text('rewardable_entity_key'),
    }),
    unallocated_reward: oneofMember(7, {
      1: choice('unallocated_reward_type', mobileUnallocatedRewardTypes),
      2: amount('amount'),
    }),
    radio_reward_v2: oneofMember(8, {
      1: key('hotspot_key'),
      2: text('cbsd_id'),
      3: decimal('base_coverage_points_sum'),
      4: decimal('boosted_coverage_points_sum'),
      5: decimal('base_reward_shares'),
      6: decimal('boosted_reward_shares'),
      7: amount('base_poc_reward'),
      8: amount('boosted_poc_reward'),
      9: optionalSeconds('seniority_timestamp'),
      10: optionalBytes('coverage_object'),
      12: decimal('location_trust_score_multiplier'),
      14: decimal('speedtest_multiplier'),
      15: choice('sp_boosted_hex_status', spBoostedHexStatuses),
      18: choice('oracle_boosted_hex_status', oracleBoostedHexStatuses),
    }),
    promotion_reward: oneofMember(9, {
      1: text('entity'),
      2: amount('service_provider_amount'),
      3: amount('matched_amount'),
    }),
  }),
}
