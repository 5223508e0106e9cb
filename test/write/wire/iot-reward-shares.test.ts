import { describe, expect, it } from 'vitest'
import { decodeRow } from '../../support/messages/decode-row.ts'
import {
  len,
  message,
  num,
  period,
  vectorKey,
  vectorKeyText,
} from '../../support/messages/oracle-messages.ts'

const decode = (...fields: readonly Buffer[]) => decodeRow('iot_reward_share', message(...fields))

/** What `period()` becomes, microseconds since 1970. */
const day = { start_period: 1_738_281_600_000_000n, end_period: 1_738_368_000_000_000n }

/** Three frames as an oracle wrote them. */
const published = Buffer.from(
  '0000003e0898f5d19e06109898d79e061a300a2100efffb8238e5513e63063d813cbf5e72124723fac78787e8e444e04b0cd' +
    '10175210c08db7011880897a20c0843d000000130898f5d19e06109898d79e06220508c09fab03' +
    '000000120898f5d19e06109898d79e062a0408021005',
  'hex',
)

describe('an IoT share', () => {
  it('of each kind in the published example has the published values', () => {
    const periods = { start_period: 1_674_869_400_000_000n, end_period: 1_674_955_800_000_000n }
    // The frames are 62, 19 and 18 bytes long, each after a header of 4.
    const rows = [
      [4, 66],
      [70, 89],
      [93, 111],
    ].map(([start, end]) => decodeRow('iot_reward_share', published.subarray(start, end)))
    expect(published).toHaveLength(111)
    expect(rows).toEqual([
      {
        reward_type: 'gateway_reward',
        ...periods,
        hotspot_key: vectorKeyText,
        beacon_amount: 3_000_000n,
        witness_amount: 2_000_000n,
        dc_transfer_amount: 1_000_000n,
      },
      { reward_type: 'operational_reward', ...periods, amount: 7_000_000n },
      {
        reward_type: 'unallocated_reward',
        ...periods,
        unallocated_reward_type: 'unallocated_reward_type_oracle',
        amount: 5n,
      },
    ])
  })

  it('has 0 for every amount that a gateway reward leaves out', () => {
    expect(decode(period(), len(3, len(1, vectorKey)))).toEqual({
      reward_type: 'gateway_reward',
      ...day,
      hotspot_key: vectorKeyText,
      beacon_amount: 0n,
      witness_amount: 0n,
      dc_transfer_amount: 0n,
    })
  })

  it('is an operational reward of 0 when that message is there and empty', () => {
    expect(decode(period(), len(4))).toEqual({ reward_type: 'operational_reward', ...day, amount: 0n })
  })

  it('is unallocated proof of coverage of 0 when that message is there and empty', () => {
    expect(decode(period(), len(5))).toEqual({
      reward_type: 'unallocated_reward',
      ...day,
      unallocated_reward_type: 'unallocated_reward_type_poc',
      amount: 0n,
    })
  })

  it('starts in 1970 when its start is left out', () => {
    expect(decode(num(2, 86_400), len(4))).toMatchObject({ start_period: 0n, end_period: 86_400_000_000n })
  })

  it.each([
    [0, 'unallocated_reward_type_poc'],
    [1, 'unallocated_reward_type_operation'],
    [2, 'unallocated_reward_type_oracle'],
    [3, 'unallocated_reward_type_data'],
    [4, '4'],
    [2_147_483_647, '2147483647'],
    [-1, '-1'],
  ])('keeps the unallocated type %i as %s', (number, name) => {
    expect(decode(period(), len(5, num(1, number)))).toMatchObject({ unallocated_reward_type: name })
  })

  it.each([2n ** 64n - 1n, 2n ** 63n, 2n ** 53n + 1n, 2n ** 32n])(
    'keeps every digit of an amount of %s',
    (amount) => {
      const gateway = len(3, len(1, vectorKey), num(2, amount), num(3, amount - 1n), num(4, amount - 2n))
      expect(decode(period(), gateway)).toMatchObject({
        beacon_amount: amount,
        witness_amount: amount - 1n,
        dc_transfer_amount: amount - 2n,
      })
    },
  )

  it('accepts its fields in any order', () => {
    expect(decode(len(4, num(1, 9)), num(2, 1_738_368_000), num(1, 1_738_281_600))).toEqual({
      reward_type: 'operational_reward',
      ...day,
      amount: 9n,
    })
  })

  it('has the last value of a repeated field', () => {
    expect(decode(period(), num(2, 1_738_368_001), len(4, num(1, 8), num(1, 9)))).toMatchObject({
      end_period: 1_738_368_001_000_000n,
      amount: 9n,
    })
  })

  it('skips unknown fields of every wire type and at every depth', () => {
    const fixed64 = Buffer.from('790102030405060708', 'hex') // field 15
    const fixed32 = Buffer.from('7d01020304', 'hex') // field 15
    const group = Buffer.from('a301080112020909a401', 'hex') // field 20, with a number and bytes inside
    const unknown = message(num(14, 2n ** 64n - 1n), len(16, 'later'), fixed64, fixed32, group)
    const share = decode(unknown, period(), unknown, len(4, unknown, num(1, 9), unknown), unknown)
    expect(share).toEqual({ reward_type: 'operational_reward', ...day, amount: 9n })
  })

  it('does not affect the next share', () => {
    decode(period(), len(3, len(1, vectorKey), num(2, 5)))
    expect(decode(period(), len(4, num(1, 1)))).not.toHaveProperty('hotspot_key')
  })
})
