import { describe, expect, it } from 'vitest'
import { decodeRow } from '../../support/messages/decode-row.ts'
import {
  dec,
  len,
  message,
  num,
  period,
  vectorKey,
  vectorKeyText,
} from '../../support/messages/oracle-messages.ts'

const decode = (...fields: readonly Buffer[]) => decodeRow('mobile_reward_share', message(...fields))
const day = { start_period: 1_738_281_600_000_000n, end_period: 1_738_368_000_000_000n }
const coverageObject = Buffer.from('00112233445566778899aabbccddeeff', 'hex')
const most = 2n ** 64n - 1n

describe('a Mobile share is decoded with every field', () => {
  it('of a v1 radio', () => {
    const radio = len(
      3,
      len(1, vectorKey),
      len(2, 'P27-SCE4255W2107CW5000014'),
      num(3, 11),
      num(4, most),
      num(5, 2n ** 63n - 1n),
      num(6, 1_700_000_000),
      len(7, coverageObject),
      num(8, 1000),
      num(9, 750),
      len(10, num(1, 0x8c2681a3064d9ffn), num(2, 10)),
    )
    expect(decode(period(), radio)).toEqual({
      reward_type: 'radio_reward',
      ...day,
      hotspot_key: vectorKeyText,
      cbsd_id: 'P27-SCE4255W2107CW5000014',
      dc_transfer_reward: 11n,
      poc_reward: most,
      coverage_points: 2n ** 63n - 1n,
      seniority_timestamp: 1_700_000_000_000_000n,
      coverage_object: coverageObject,
    })
  })

  it('of a gateway', () => {
    const gateway = len(4, len(1, vectorKey), num(2, 7_654_321), num(3, most), num(4, 320_500_000))
    expect(decode(period(), gateway)).toEqual({
      reward_type: 'gateway_reward',
      ...day,
      hotspot_key: vectorKeyText,
      dc_transfer_reward: 7_654_321n,
      rewardable_bytes: most,
      price: 320_500_000n,
    })
  })

  it('of a subscriber, whose verification mapping is the subscriber reward', () => {
    const subscriber = len(5, len(1, vectorKey), num(2, 30), num(3, 40), len(4, 'entity-9'))
    expect(decode(period(), subscriber)).toEqual({
      reward_type: 'subscriber_reward',
      ...day,
      subscriber_id: vectorKeyText,
      discovery_location_amount: 30n,
      subscriber_reward: 40n,
      reward_override_entity_key: 'entity-9',
    })
  })

  it('of a service provider', () => {
    expect(decode(period(), len(6, num(2, 99), len(3, 'Helium Mobile')))).toEqual({
      reward_type: 'service_provider_reward',
      ...day,
      service_provider_id: 'helium_mobile',
      amount: 99n,
      rewardable_entity_key: 'Helium Mobile',
    })
  })

  it('of an unallocated reward', () => {
    expect(decode(period(), len(7, num(1, 5), num(2, most)))).toEqual({
      reward_type: 'unallocated_reward',
      ...day,
      unallocated_reward_type: 'unallocated_reward_type_data',
      amount: most,
    })
  })

  it('of a v2 radio, whose lists are skipped', () => {
    const radio = len(
      8,
      len(1, vectorKey),
      len(2, 'radio'),
      dec(3, '225'),
      dec(4, '12.5'),
      dec(5, '0.25'),
      dec(6, '-1.125'),
      num(7, 100),
      num(8, 200),
      num(9, 1_700_000_001),
      len(10, coverageObject),
      len(11, num(1, 50), dec(2, '1.0')),
      dec(12, '0.75'),
      len(13, num(1, 1), num(2, 2)),
      dec(14, '1.00'),
      num(15, 2),
      len(16, num(1, 5), dec(2, '1')),
      len(17, num(1, 3)),
      num(18, 1),
    )
    expect(decode(period(), radio)).toEqual({
      reward_type: 'radio_reward_v2',
      ...day,
      hotspot_key: vectorKeyText,
      cbsd_id: 'radio',
      base_coverage_points_sum: '225',
      boosted_coverage_points_sum: '12.5',
      base_reward_shares: '0.25',
      boosted_reward_shares: '-1.125',
      base_poc_reward: 100n,
      boosted_poc_reward: 200n,
      seniority_timestamp: 1_700_000_001_000_000n,
      coverage_object: coverageObject,
      location_trust_score_multiplier: '0.75',
      speedtest_multiplier: '1',
      sp_boosted_hex_status: 'sp_boosted_hex_status_radio_threshold_not_met',
      oracle_boosted_hex_status: 'oracle_boosted_hex_status_banned',
    })
  })

  it('of a promotion', () => {
    expect(decode(period(), len(9, len(1, 'Café ☕'), num(2, 5), num(3, 6)))).toEqual({
      reward_type: 'promotion_reward',
      ...day,
      entity: 'Café ☕',
      service_provider_amount: 5n,
      matched_amount: 6n,
    })
  })
})

describe('a Mobile share with nothing but its key', () => {
  it.each([
    ['radio_reward', 3, { cbsd_id: '', dc_transfer_reward: 0n, poc_reward: 0n, coverage_points: 0n }],
    ['gateway_reward', 4, { dc_transfer_reward: 0n, rewardable_bytes: 0n, price: 0n }],
    [
      'radio_reward_v2',
      8,
      {
        cbsd_id: '',
        base_coverage_points_sum: '0',
        boosted_coverage_points_sum: '0',
        base_reward_shares: '0',
        boosted_reward_shares: '0',
        base_poc_reward: 0n,
        boosted_poc_reward: 0n,
        location_trust_score_multiplier: '0',
        speedtest_multiplier: '0',
        sp_boosted_hex_status: 'sp_boosted_hex_status_eligible',
        oracle_boosted_hex_status: 'oracle_boosted_hex_status_eligible',
      },
    ],
  ])(
    'has zeros in the other fields of a %s, and no seniority and no coverage object',
    (reward_type, field, zeros) => {
      const decoded = decode(period(), len(field, len(1, vectorKey)))
      expect(decoded).toEqual({ reward_type, ...day, hotspot_key: vectorKeyText, ...zeros })
    },
  )

  it('has zeros in the other fields of a subscriber', () => {
    expect(decode(period(), len(5, len(1, vectorKey)))).toEqual({
      reward_type: 'subscriber_reward',
      ...day,
      subscriber_id: vectorKeyText,
      discovery_location_amount: 0n,
      subscriber_reward: 0n,
      reward_override_entity_key: '',
    })
  })

  it.each([
    [
      'service_provider_reward',
      6,
      { service_provider_id: 'helium_mobile', amount: 0n, rewardable_entity_key: '' },
    ],
    ['unallocated_reward', 7, { unallocated_reward_type: 'unallocated_reward_type_poc', amount: 0n }],
    ['promotion_reward', 9, { entity: '', service_provider_amount: 0n, matched_amount: 0n }],
  ])('may be a %s with nothing but zeros', (reward_type, field, zeros) => {
    expect(decode(period(), len(field))).toEqual({ reward_type, ...day, ...zeros })
  })

  it('has no seniority if the message has 0, and no coverage object if it is empty', () => {
    const decoded = decode(period(), len(8, len(1, vectorKey), num(9, 0), len(10)))
    expect(decoded).not.toHaveProperty('seniority_timestamp')
    expect(decoded).not.toHaveProperty('coverage_object')
  })
})

describe('an enum number that this build does not know', () => {
  it.each([
    ['service_provider_id', len(6, num(1, 1)), '1'],
    ['unallocated_reward_type', len(7, num(1, 6)), '6'],
    ['sp_boosted_hex_status', len(8, len(1, vectorKey), num(15, 6)), '6'],
    ['oracle_boosted_hex_status', len(8, len(1, vectorKey), num(18, 300)), '300'],
  ])('is kept as its digits in %s', (column, reward, digits) => {
    expect(decode(period(), reward)).toMatchObject({ [column]: digits })
  })
})

describe('a decimal', () => {
  const sharesOf = (text: string) => {
    const row = decode(period(), len(8, len(1, vectorKey), dec(5, text)))
    return [row.base_reward_shares, row.base_reward_shares_exact]
  }

  it.each([
    ['1.50', '1.5'],
    ['+7', '7'],
    ['-0.0', '0'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['007', '7'],
    ['1.25e3', '1250'],
    ['125E-2', '1.25'],
    ['0.000000000000000001', '0.000000000000000001'],
    ['99999999999999999999.999999999999999999', '99999999999999999999.999999999999999999'],
    ['-99999999999999999999.999999999999999999', '-99999999999999999999.999999999999999999'],
  ])('%s is stored as %s without the exact text', (text, stored) => {
    expect(sharesOf(text)).toEqual([stored, undefined])
  })

  it.each([
    ['31358.655119335628677836557476', '31358.655119335628677836', '31358.655119335628677836557476'],
    ['-0.1234567890123456789', '-0.123456789012345678', '-0.1234567890123456789'],
    ['1e-19', '0', '0.0000000000000000001'],
    ['1.9999999999999999999', '1.999999999999999999', '1.9999999999999999999'],
  ])('%s is cut toward zero to %s, with the exact text beside it', (text, stored, exact) => {
    expect(sharesOf(text)).toEqual([stored, exact])
  })

  it('is 0 when its message is there without a text', () => {
    expect(decode(period(), len(8, len(1, vectorKey), len(5)))).toMatchObject({ base_reward_shares: '0' })
  })

  it('may have unknown fields next to its text', () => {
    const shares = len(5, num(2, 77), len(1, '2.5'), len(3, 'x'))
    expect(decode(period(), len(8, len(1, vectorKey), shares))).toMatchObject({ base_reward_shares: '2.5' })
  })
})

it.each([
  ['a NUL', 'a\0b'],
  ['a byte order mark', '\u{feff}a'],
  ['characters beyond the first plane', '🛰️ 𐍈'],
])('a text keeps every character, including %s', (_, entity) => {
  expect(decode(period(), len(9, len(1, entity)))).toMatchObject({ entity })
})

it('a message with two rewards becomes the last one', () => {
  const decoded = decode(period(), len(4, len(1, vectorKey), num(2, 5)), len(7, num(2, 6)))
  expect(decoded).toMatchObject({ reward_type: 'unallocated_reward', amount: 6n })
})
