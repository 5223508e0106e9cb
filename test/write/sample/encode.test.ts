import { describe, expect, test } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { iotWitnessIngestReports } from '../../../src/catalog/l2/iot-witness-ingest-reports.ts'
import { mobileRewardShares } from '../../../src/catalog/l2/mobile-reward-shares.ts'
import type { Resource } from '../../../src/catalog/resource.ts'
import { encodeRewardManifest } from '../../../src/write/sample/encoding/encode-manifest.ts'
import { compileEncoder } from '../../../src/write/sample/encoding/encode-message.ts'
import { compileDecoder } from '../../../src/write/wire/decode.ts'
import type { WireFields } from '../../../src/write/wire/field.ts'
import { iotRewardShareFields } from '../../../src/write/wire/messages/iot-reward-share.ts'
import { iotWitnessIngestReportFields } from '../../../src/write/wire/messages/iot-witness-ingest-report.ts'
import { mobileRewardShareFields } from '../../../src/write/wire/messages/mobile-reward-share.ts'
import type { DecodedManifest } from '../../../src/write/wire/messages/network-messages.ts'
import { decodeRewardManifest } from '../../../src/write/wire/messages/reward-manifest.ts'
import { openProtobufReader } from '../../../src/write/wire/reader.ts'

const period = { start_period: 1_674_869_400_000_000n, end_period: 1_674_955_800_000_000n }
const rawKey = Buffer.from('00efffb8238e5513e63063d813cbf5e72124723fac78787e8e444e04b0cd101752', 'hex')
const keyText = '112phT6PPtLyQqkdnMppgWrTwdDpzzz2C7Q7agHQMhgpiPfsUh5N'
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** What the decoder makes of a message, by column. */
function decode(fields: WireFields, resource: Resource, message: Uint8Array): Record<string, unknown> {
  const decoder = compileDecoder(fields, Object.keys(resource.columns))
  decoder.decode(openProtobufReader(message), message.length)
  return Object.fromEntries(decoder.columns.map((column, slot) => [column, decoder.values[slot]]))
}

describe('shares', () => {
  test('three IoT rewards become the bytes that an oracle wrote for them', () => {
    const encode = compileEncoder(iotRewardShareFields)
    const messages = [
      {
        ...period,
        reward_type: 'gateway_reward',
        hotspot_key: rawKey,
        beacon_amount: 3_000_000n,
        witness_amount: 2_000_000n,
        dc_transfer_amount: 1_000_000n,
      },
      { ...period, reward_type: 'operational_reward', amount: 7_000_000n },
      {
        ...period,
        reward_type: 'unallocated_reward',
        unallocated_reward_type: 'unallocated_reward_type_oracle',
        amount: 5n,
      },
    ].map(encode)
    expect(messages.map(hex)).toEqual([
      '0898f5d19e06109898d79e061a300a2100efffb8238e5513e63063d813cbf5e72124723fac78787e8e444e04b0cd' +
        '10175210c08db7011880897a20c0843d',
      '0898f5d19e06109898d79e06220508c09fab03',
      '0898f5d19e06109898d79e062a0408021005',
    ])
  })

  test('a reward of 0 is an empty message in its oneof field', () => {
    const encode = compileEncoder(iotRewardShareFields)
    const row = {
      reward_type: 'unallocated_reward',
      unallocated_reward_type: 'unallocated_reward_type_poc',
      amount: 0n,
    }
    expect(hex(encode(row))).toBe('2a00')
  })

  test('the largest amount and the row after it round-trip', () => {
    const encode = compileEncoder(iotRewardShareFields)
    for (const amount of [2n ** 64n - 1n, 2n ** 53n + 1n, 2n ** 32n, 2n ** 32n - 1n, 1n]) {
      const message = encode({ ...period, reward_type: 'operational_reward', amount })
      expect(decode(iotRewardShareFields, iotRewardShares, message)).toMatchObject({ ...period, amount })
    }
  })

  test('a decimal of more than 18 digits is written in full', () => {
    const encode = compileEncoder(mobileRewardShareFields)
    const exact = '123.4567890123456789012345678'
    const row = { ...period, reward_type: 'radio_reward_v2', hotspot_key: rawKey, base_reward_shares: exact }
    const decoded = decode(mobileRewardShareFields, mobileRewardShares, encode(row))
    expect(decoded).toMatchObject({ hotspot_key: keyText, base_reward_shares_exact: exact })
    const again = { ...decoded, reward_type: 'radio_reward_v2', hotspot_key: rawKey } as typeof row
    expect(decode(mobileRewardShareFields, mobileRewardShares, encode(again))).toEqual(decoded)
  })

  test('an unknown reward type is refused, and the next row is complete', () => {
    const encode = compileEncoder(iotRewardShareFields)
    expect(() => encode({ ...period, reward_type: 'radio_reward' })).toThrow('radio_reward')
    expect(hex(encode({ reward_type: 'operational_reward', amount: 5n }))).toBe('22020805')
  })
})

test('negative signals and nanoseconds of a witness report round-trip', () => {
  const report = {
    received_at: 1_736_989_237_233_000n,
    data: Buffer.from('beac', 'hex'),
    reported_ns: 1_736_989_236_123_456_789n,
    tmst: 4_294_967_295n,
    signal: -1234,
    snr: -55,
    frequency: 868_100_000n,
    data_rate: 'SF9BW125',
    signature: Buffer.from('5160', 'hex'),
  }
  const message = compileEncoder(iotWitnessIngestReportFields)({ ...report, hotspot_key: rawKey })
  const decoded = decode(iotWitnessIngestReportFields, iotWitnessIngestReports, message)
  expect(decoded).toMatchObject({ hotspot_key: keyText, reported_at: 1_736_989_236_123_456n })
  expect(decoded).toMatchObject({ ...report, data: expect.anything(), signature: expect.anything() })
  expect([decoded.data, decoded.signature].map((bytes) => hex(bytes as Uint8Array))).toEqual(['beac', '5160'])
})

describe('manifests', () => {
  const bare: DecodedManifest = {
    written_files: ['mobile_reward_share.1.gz', 'mobile_reward_share.2.gz'],
    start_timestamp: period.start_period,
    end_timestamp: period.end_period,
    epoch: 0n,
    price: 0n,
    reward_type: 'mobile',
    token: null,
    poc_bones_per_beacon_reward_share: null,
    poc_bones_per_beacon_reward_share_exact: null,
    poc_bones_per_witness_reward_share: null,
    poc_bones_per_witness_reward_share_exact: null,
    dc_bones_per_share: null,
    dc_bones_per_share_exact: null,
    poc_bones_per_reward_share: null,
    poc_bones_per_reward_share_exact: null,
    boosted_poc_bones_per_reward_share: null,
    boosted_poc_bones_per_reward_share_exact: null,
    service_provider_promotions: null,
  }
  const mobile: DecodedManifest = {
    ...bare,
    epoch: 20_634n,
    price: 25_023_583n,
    token: 'mobile_reward_token_main',
    poc_bones_per_reward_share: '31358.655119335628677836',
    poc_bones_per_reward_share_exact: '31358.655119335628677836557476',
    boosted_poc_bones_per_reward_share: '0.5',
    boosted_poc_bones_per_reward_share_exact: '0.50',
    service_provider_promotions: JSON.stringify([
      {
        service_provider: 'helium_mobile',
        incentive_escrow_fund_bps: 792,
        promotions: [
          { entity: 'Café', start_ts: '2024-10-29T00:00:00Z', end_ts: '2025-12-31T00:00:00Z', shares: 100 },
        ],
      },
      { service_provider: 'helium_mobile', incentive_escrow_fund_bps: 0, promotions: [] },
    ]),
  }
  const iot: DecodedManifest = {
    ...bare,
    written_files: ['iot_reward_share.1.gz'],
    reward_type: 'iot',
    token: 'iot_reward_token_iot',
    poc_bones_per_beacon_reward_share: '49852.1',
    poc_bones_per_beacon_reward_share_exact: '49852.1',
    poc_bones_per_witness_reward_share: '0',
    poc_bones_per_witness_reward_share_exact: '0',
    dc_bones_per_share: '4240.25',
    dc_bones_per_share_exact: '4240.25',
  }

  test.each([
    ['mobile', mobile],
    ['iot', iot],
    ['old, without reward data,', bare],
  ])('a manifest that is %s round-trips', (_, manifest) => {
    const message = encodeRewardManifest(manifest)
    expect(decodeRewardManifest(openProtobufReader(message), message.length, undefined)).toEqual(manifest)
  })
})
