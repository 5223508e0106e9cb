import { describe, expect, it } from 'vitest'
import { writeJson } from '../../../src/base/values/json-writer.ts'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../../../src/catalog/l2/mobile-reward-shares.ts'
import { rewardManifests } from '../../../src/catalog/l2/reward-manifests.ts'
import type { ManifestFacts } from '../../../src/catalog/records/member.ts'
import { toRecord } from '../../../src/catalog/records/record.ts'
import type { Resource, Row } from '../../../src/catalog/resource.ts'

const period = { start_period: 1_738_022_400_000_000n, end_period: 1_738_108_800_000_000n }
const periodText = '"start_period":"2025-01-28T00:00:00Z","end_period":"2025-01-29T00:00:00Z"'
const noFacts: ManifestFacts = { tokenDecimals: null, price: null }

function written(resource: Resource, row: Row, facts = noFacts): string {
  return writeJson(toRecord(resource, row, 'the-id', facts, { reward_manifest: null }))
}

describe('a row becomes a record', () => {
  it('with exact amounts beyond 2^63 and their formatted text', () => {
    const row = {
      ...period,
      reward_type: 'gateway_reward',
      hotspot_key: '112ph',
      beacon_amount: 2n ** 64n - 1n,
      witness_amount: 2n ** 53n + 1n,
      dc_transfer_amount: 0n,
    }
    expect(written(iotRewardShares, row, { tokenDecimals: 6, price: null })).toBe(
      `{"id":"the-id","reward_type":"gateway_reward",${periodText},"reward_manifest":null,` +
        '"reward_detail":{"hotspot_key":"112ph",' +
        '"beacon_amount":18446744073709551615,"formatted_beacon_amount":"18446744073709.551615",' +
        '"witness_amount":9007199254740993,"formatted_witness_amount":"9007199254.740993",' +
        '"dc_transfer_amount":0,"formatted_dc_transfer_amount":"0.0"}}',
    )
  })

  it('with nulls for members that need an unknown manifest', () => {
    const row = { ...period, reward_type: 'gateway_reward', hotspot_key: '112ph', dc_transfer_reward: 5n }
    expect(written(mobileRewardShares, row)).toBe(
      `{"id":"the-id","reward_type":"gateway_reward",${periodText},"reward_manifest":null,` +
        '"reward_detail":{"hotspot_key":"112ph","dc_transfer_reward":5,"formatted_dc_transfer_reward":null,"offloaded_bytes":null}}',
    )
  })

  it('with a null formatted amount for a null amount', () => {
    const row = { ...period, reward_type: 'operational_reward', amount: null }
    expect(written(iotRewardShares, row, { tokenDecimals: 8, price: null })).toContain(
      '"reward_detail":{"amount":null,"formatted_amount":null',
    )
  })

  it('with offloaded bytes rounded half up from the price of the manifest', () => {
    const row = {
      ...period,
      reward_type: 'radio_reward',
      hotspot_key: '112ph',
      cbsd_id: 'P27',
      dc_transfer_reward: 118_844_093n,
      poc_reward: 0n,
      price: 1n,
    }
    expect(written(mobileRewardShares, row, { tokenDecimals: 8, price: 329_923_000n })).toContain(
      '"offloaded_bytes":773561547}',
    )
  })

  it('with decimals as numbers of every digit, from the exact text where there is one', () => {
    const row = {
      ...period,
      reward_type: 'radio_reward_v2',
      hotspot_key: '112ph',
      cbsd_id: '',
      base_coverage_points_sum: '258.93124298',
      boosted_coverage_points_sum: '0.123456789012345678',
      boosted_coverage_points_sum_exact: '0.1234567890123456789',
      base_reward_shares: '0',
      boosted_reward_shares: null,
      base_poc_reward: 83_326_743n,
      boosted_poc_reward: 564_599n,
      seniority_timestamp: null,
      coverage_object: Buffer.from('e8b70c67b18e53afa5718cab5074f893', 'hex'),
      location_trust_score_multiplier: '0.75',
      speedtest_multiplier: '1',
      sp_boosted_hex_status: '99',
      oracle_boosted_hex_status: 'oracle_boosted_hex_status_qualified',
    }
    expect(written(mobileRewardShares, row)).toContain(
      '"reward_detail":{"hotspot_key":"112ph","cbsd_id":"","base_coverage_points_sum":258.93124298,' +
        '"boosted_coverage_points_sum":0.1234567890123456789,"base_reward_shares":0,"boosted_reward_shares":null,' +
        '"base_poc_reward":83326743,"boosted_poc_reward":564599,"seniority_timestamp":null,' +
        '"coverage_object":"6LcMZ7GOU6+lcYyrUHT4kw==","location_trust_score_multiplier":0.75,' +
        '"speedtest_multiplier":1,"sp_boosted_hex_status":"99",' +
        '"oracle_boosted_hex_status":"oracle_boosted_hex_status_qualified"}',
    )
  })

  it('with the seniority of a radio as a date-time', () => {
    const row = { ...period, reward_type: 'radio_reward_v2', seniority_timestamp: 1_738_006_759_000_000n }
    expect(written(mobileRewardShares, row)).toContain('"seniority_timestamp":"2025-01-27T19:39:19Z"')
  })

  it('with only the members of its reward type', () => {
    const row = {
      ...period,
      reward_type: 'promotion_reward',
      entity: 'promo-7-3',
      service_provider_amount: 1n,
      matched_amount: 2n,
      amount: 3n,
      hotspot_key: '112ph',
    }
    expect(written(mobileRewardShares, row, { tokenDecimals: 8, price: 1n })).toContain(
      '"reward_detail":{"entity":"promo-7-3","service_provider_amount":1,"matched_amount":2}}',
    )
  })
})

describe('a manifest becomes a record', () => {
  const manifest = {
    source_file: 'reward_manifest.1.gz',
    ordinal: 0n,
    written_files: ['a.1.gz', 'b.2.gz'],
    start_timestamp: period.start_period,
    end_timestamp: period.end_period,
    epoch: 20_116n,
    price: 0n,
  }

  it('of IoT with strings where the specification has them, and truncated integers beside their exact text', () => {
    const row = {
      ...manifest,
      reward_type: 'iot',
      token: 'iot_reward_token_iot',
      poc_bones_per_beacon_reward_share_exact: '0.90877593030',
      poc_bones_per_witness_reward_share_exact: '4.05',
      dc_bones_per_share: '3.739700217007648',
      dc_bones_per_share_exact: '3.7397002170076480',
    }
    expect(writeJson(toRecord(rewardManifests, row, 'the-id', noFacts))).toBe(
      '{"id":"the-id","written_files":["a.1.gz","b.2.gz"],"start_timestamp":"2025-01-28T00:00:00Z",' +
        '"end_timestamp":"2025-01-29T00:00:00Z","epoch":20116,"price":0,"reward_type":"iot","reward_detail":{' +
        '"poc_bones_per_beacon_reward_share":"0.90877593030","poc_bones_per_witness_reward_share":"4.05",' +
        '"dc_bones_per_share":3,"dc_bones_per_share_exact":"3.7397002170076480","token":"iot_reward_token_iot"}}',
    )
  })

  it('of Mobile with its promotions', () => {
    const row = {
      ...manifest,
      reward_type: 'mobile',
      token: 'mobile_reward_token_main',
      poc_bones_per_reward_share_exact: '31358.655119335628677836557476',
      boosted_poc_bones_per_reward_share_exact: '-0.5',
      service_provider_promotions: '[{"service_provider":"helium_mobile","promotions":[]}]',
    }
    expect(writeJson(toRecord(rewardManifests, row, 'the-id', noFacts))).toContain(
      '"reward_detail":{"poc_bones_per_reward_share":31358,' +
        '"poc_bones_per_reward_share_exact":"31358.655119335628677836557476",' +
        '"boosted_poc_bones_per_reward_share":0,"boosted_poc_bones_per_reward_share_exact":"-0.5",' +
        '"service_provider_promotions":[{"service_provider":"helium_mobile","promotions":[]}],' +
        '"token":"mobile_reward_token_main"}',
    )
  })

  it('without reward data, with a detail of nulls', () => {
    const row = { ...manifest, reward_type: 'iot', token: null }
    expect(writeJson(toRecord(rewardManifests, row, 'the-id', noFacts))).toContain(
      '"reward_detail":{"poc_bones_per_beacon_reward_share":null,"poc_bones_per_witness_reward_share":null,' +
        '"dc_bones_per_share":null,"dc_bones_per_share_exact":null,"token":null}',
    )
  })
})
