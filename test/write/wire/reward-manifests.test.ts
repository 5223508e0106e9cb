import { describe, expect, it } from 'vitest'
import { decodeRow, refusalOf } from '../../support/messages/decode-row.ts'
import { dec, len, message, num } from '../../support/messages/oracle-messages.ts'
import { folders } from '../../support/specified.ts'

type Network = 'iot' | 'mobile' | undefined
const decode = (network: Network, ...fields: readonly Buffer[]) =>
  decodeRow('reward_manifest', message(...fields), network)

const times = message(num(2, 1_782_777_600), num(3, 1_782_864_000))
const epoch = { start_timestamp: 1_782_777_600_000_000n, end_timestamp: 1_782_864_000_000_000n }

describe('a manifest', () => {
  it('of the IoT network has its files, times, decimals, token, epoch and price', () => {
    const decoded = decode(
      undefined,
      len(1, 'iot_network_reward_shares_v1.1782867657219.gz'),
      len(1, 'iot_network_reward_shares_v1.1782867657220.gz'),
      times,
      len(5, dec(1, '49852.100'), dec(2, '31358.655119335628677836557476'), dec(3, '4240.25'), num(4, 1)),
      num(6, 20_634),
      num(7, 2n ** 64n - 1n),
    )
    expect(decoded).toEqual({
      written_files: [
        'iot_network_reward_shares_v1.1782867657219.gz',
        'iot_network_reward_shares_v1.1782867657220.gz',
      ],
      ...epoch,
      epoch: 20_634n,
      price: 2n ** 64n - 1n,
      reward_type: 'iot',
      token: 'iot_reward_token_main',
      poc_bones_per_beacon_reward_share: '49852.1',
      poc_bones_per_beacon_reward_share_exact: '49852.100',
      poc_bones_per_witness_reward_share: '31358.655119335628677836',
      poc_bones_per_witness_reward_share_exact: '31358.655119335628677836557476',
      dc_bones_per_share: '4240.25',
      dc_bones_per_share_exact: '4240.25',
    })
  })

  it('of the Mobile network has its promotions as JSON', () => {
    const promotion = len(3, len(1, 'Café'), num(2, 1_730_160_000), num(3, 1_767_139_200), num(4, 100))
    const decoded = decode(
      undefined,
      len(1, 'mobile_reward_share.1.gz'),
      times,
      len(
        4,
        dec(1, '0.5'),
        dec(2, '0'),
        len(3, num(2, 792), promotion, len(3)),
        len(3, num(1, 7)),
        num(4, 1),
      ),
    )
    const { service_provider_promotions, ...rest } = decoded
    expect(rest).toEqual({
      written_files: ['mobile_reward_share.1.gz'],
      ...epoch,
      epoch: 0n,
      price: 0n,
      reward_type: 'mobile',
      token: 'mobile_reward_token_main',
      poc_bones_per_reward_share: '0.5',
      poc_bones_per_reward_share_exact: '0.5',
      boosted_poc_bones_per_reward_share: '0',
      boosted_poc_bones_per_reward_share_exact: '0',
    })
    expect(JSON.parse(String(service_provider_promotions))).toEqual([
      {
        service_provider: 'helium_mobile',
        incentive_escrow_fund_bps: 792,
        promotions: [
          { entity: 'Café', start_ts: '2024-10-29T00:00:00Z', end_ts: '2025-12-31T00:00:00Z', shares: 100 },
          { entity: '', start_ts: '1970-01-01T00:00:00Z', end_ts: '1970-01-01T00:00:00Z', shares: 0 },
        ],
      },
      { service_provider: '7', incentive_escrow_fund_bps: 0, promotions: [] },
    ])
  })

  it('has 0 for each decimal that its reward data leaves out, and the old token', () => {
    expect(decode(undefined, times, len(5))).toEqual({
      written_files: [],
      ...epoch,
      epoch: 0n,
      price: 0n,
      reward_type: 'iot',
      token: 'iot_reward_token_iot',
      poc_bones_per_beacon_reward_share: '0',
      poc_bones_per_beacon_reward_share_exact: '0',
      poc_bones_per_witness_reward_share: '0',
      poc_bones_per_witness_reward_share_exact: '0',
      dc_bones_per_share: '0',
      dc_bones_per_share_exact: '0',
    })
  })

  it('of the Mobile network today has no decimals, no promotions and the main token', () => {
    expect(decode(undefined, times, len(4, num(4, 1)))).toMatchObject({
      reward_type: 'mobile',
      token: 'mobile_reward_token_main',
      poc_bones_per_reward_share_exact: '0',
      boosted_poc_bones_per_reward_share_exact: '0',
      service_provider_promotions: '[]',
    })
  })

  it.each([
    [4, 0, 'mobile_reward_token_mobile'],
    [4, 2, '2'],
    [5, 0, 'iot_reward_token_iot'],
    [5, 9, '9'],
  ])('with reward data in field %i keeps token %i as %s', (field, number, token) => {
    expect(decode(undefined, times, len(field, num(4, number)))).toMatchObject({ token })
  })

  it('skips unknown fields', () => {
    const unknown = message(num(14, 5), len(15, 'later'))
    const data = len(4, unknown, len(3, unknown, len(3, unknown, len(1, 'e'))), unknown, num(4, 1))
    const decoded = decode(undefined, unknown, len(1, 'mobile_reward_share.1.gz'), times, data, unknown)
    expect(decoded).toMatchObject({
      written_files: ['mobile_reward_share.1.gz'],
      reward_type: 'mobile',
      ...epoch,
    })
    expect(JSON.parse(String(decoded.service_provider_promotions))).toMatchObject([
      { promotions: [{ entity: 'e' }] },
    ])
  })
})

describe('a manifest without reward data', () => {
  const old = [len(1, 'mobile_reward_share.1.gz'), times]
  const nothingElse = ['written_files', 'start_timestamp', 'end_timestamp', 'epoch', 'price', 'reward_type']

  it('has the network of its folder and nulls for token, decimals and promotions', () => {
    const decoded = decode('mobile', ...old)
    expect(decoded.reward_type).toBe('mobile')
    expect(Object.keys(decoded).sort()).toEqual([...nothingElse].sort())
  })

  it.each([
    ['mobile', 'mobile_reward_share.1.gz'],
    ['mobile', 'mobile_network_reward_shares_v1.1.gz'],
    ['iot', 'iot_reward_share.1.gz'],
    ['iot', 'iot_network_reward_shares_v1.1.gz'],
  ])('outside such a folder is of the %s network when it names %s', (network, file) => {
    expect(decode(undefined, len(1, file), times).reward_type).toBe(network)
  })

  it('is refused when nothing names its network', () => {
    expect(refusalOf('reward_manifest', message(len(1, 'radio_reward_share.1.gz'), times))).toBe(
      'the manifest has no reward data, and neither its folder nor its written_files name a network; ' +
        `use a folder named ${folders}`,
    )
  })
})

describe('a manifest is refused', () => {
  it.each([
    [
      'when its end is its start',
      message(num(2, 86_400), num(3, 86_400), len(5)),
      'start_timestamp is 1970-01-02T00:00:00Z and end_timestamp is 1970-01-02T00:00:00Z; ' +
        'start_timestamp must be before end_timestamp',
    ],
    [
      'when its times lie beyond the year 9999',
      message(num(2, 1), num(3, 253_402_300_800n), len(5)),
      'end_timestamp is 253402300800; expected at most 253402300799',
    ],
    [
      'when a promotion ends beyond the year 9999',
      message(times, len(4, len(3, len(3, num(3, 2n ** 64n - 1n))))),
      'end_ts is 18446744073709551615; expected at most 253402300799',
    ],
    [
      'when its epoch needs more than 63 bits',
      message(times, len(5), num(6, 2n ** 63n)),
      'epoch is 9223372036854775808; expected at most 9223372036854775807',
    ],
    [
      'when a decimal is no number',
      message(times, len(5, dec(3, 'NaN'))),
      'dc_bones_per_share is "NaN"; expected a decimal of at most 20 digits before the point and 64 after it',
    ],
    [
      'when a decimal has 21 digits before its point',
      message(times, len(4, dec(1, '100000000000000000000'))),
      'poc_bones_per_reward_share is "100000000000000000000"; ' +
        'expected a decimal of at most 20 digits before the point and 64 after it',
    ],
    [
      'when a file name is not UTF-8',
      message(len(1, Buffer.from('ff61', 'hex')), times, len(5)),
      'text 0xff61 is not UTF-8',
    ],
  ])('%s', (_, bytes, sentence) => {
    expect(refusalOf('reward_manifest', bytes)).toBe(sentence)
  })

  it('only after the last second of the year 9999', () => {
    expect(decode(undefined, num(2, 1), num(3, 253_402_300_799n), len(5))).toMatchObject({
      end_timestamp: 253_402_300_799_000_000n,
    })
  })
})
