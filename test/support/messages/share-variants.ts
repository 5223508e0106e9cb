import { pairs } from '../words.ts'

/** Members of each type of reward in REST, copied by hand from the specification. Nothing is taken from the catalog. */

export type JsonType = 'boolean' | 'object' | 'string' | 'integer' | 'number' | 'strings' | 'objects'
export interface Fields {
  readonly [name: string]: JsonType | Fields
}

const fields = (text: string) => pairs(text) as Fields

export const iotVariants: Readonly<Record<string, Fields>> = {
  gateway_reward:
    fields(`hotspot_key:string beacon_amount:integer witness_amount:integer dc_transfer_amount:integer
    formatted_beacon_amount:string formatted_witness_amount:string
    formatted_dc_transfer_amount:string`),
  operational_reward: fields('amount:integer formatted_amount:string'),
  unallocated_reward: fields('unallocated_reward_type:string amount:integer formatted_amount:string'),
}

export const mobileVariants: Readonly<Record<string, Fields>> = {
  radio_reward:
    fields(`hotspot_key:string cbsd_id:string dc_transfer_reward:integer formatted_dc_transfer_reward:string
    poc_reward:integer formatted_poc_reward:string offloaded_bytes:number`),
  gateway_reward: fields(`hotspot_key:string dc_transfer_reward:integer formatted_dc_transfer_reward:string
    offloaded_bytes:number`),
  subscriber_reward: fields(`subscriber_id:string discovery_location_amount:integer
    formatted_discovery_location_amount:string subscriber_reward:integer
    formatted_subscriber_reward:string`),
  service_provider_reward: fields('service_provider_id:string amount:integer formatted_amount:string'),
  unallocated_reward: fields('unallocated_reward_type:string amount:integer formatted_amount:string'),
  radio_reward_v2: fields(`hotspot_key:string cbsd_id:string base_coverage_points_sum:number
    boosted_coverage_points_sum:number base_reward_shares:number boosted_reward_shares:number
    base_poc_reward:integer boosted_poc_reward:integer seniority_timestamp:string
    coverage_object:string location_trust_score_multiplier:number speedtest_multiplier:number
    sp_boosted_hex_status:string oracle_boosted_hex_status:string`),
  promotion_reward: fields('entity:string service_provider_amount:integer matched_amount:integer'),
}
