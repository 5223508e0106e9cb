import { describe, expect, it } from 'vitest'
import type { ArtifactKind } from '../../../src/write/ingest/files/artifact.ts'
import { RowFault } from '../../../src/write/wire/faults.ts'
import { decodeRow, refusalOf } from '../../support/messages/decode-row.ts'
import { dec, len, message, num, period, varint, vectorKey } from '../../support/messages/oracle-messages.ts'

const iot = (...fields: readonly Buffer[]) => refusalOf('iot_reward_share', message(...fields))
const mobile = (...fields: readonly Buffer[]) => refusalOf('mobile_reward_share', message(...fields))
const radio = (...fields: readonly Buffer[]) => mobile(period(), len(8, len(1, vectorKey), ...fields))

describe('a share is refused with a sentence that says what would be accepted', () => {
  it('when its reward has an unknown variant', () => {
    expect(iot(period(), len(6, num(1, 5)))).toBe('reward variant in field 6 is not known to this build')
    expect(mobile(period(), len(10, len(1, 'x')))).toBe(
      'reward variant in field 10 is not known to this build',
    )
  })

  it('when it has no reward', () => {
    expect(iot(period())).toBe('the message has no reward; expected one of the known reward variants')
  })

  it.each([
    ['left out', len(3, num(2, 5))],
    ['empty', len(3, len(1), num(2, 5))],
  ])('when its key is %s', (_, reward) => {
    expect(iot(period(), reward)).toBe('hotspot_key is empty; expected a public key of at least one byte')
  })

  it('when its key is longer than any key, so that the rest of the file is stored', () => {
    const sentence = /^hotspot_key is .*; expected at most \d+ bytes$/
    expect(iot(period(), len(3, len(1, Buffer.alloc(20_000, 7))))).toMatch(sentence)
    expect(mobile(period(), len(8, len(1, Buffer.alloc(20_000, 7))))).toMatch(sentence)
  })

  it('when a subscriber has no id', () => {
    expect(mobile(period(), len(5, num(2, 5)))).toBe(
      'subscriber_id is empty; expected a public key of at least one byte',
    )
  })

  it.each([
    ['a byte that begins nothing', 'fe', 'promotion', 'text 0xfe is not UTF-8'],
    ['a cut character', '41e298', 'cut', 'text 0x41e298 is not UTF-8'],
    ['a surrogate', 'eda080', 'surrogate', 'text 0xeda080 is not UTF-8'],
    ['an overlong slash', 'c0af', 'overlong', 'text 0xc0af is not UTF-8'],
  ])('when a text has %s', (_, hex, _name, sentence) => {
    expect(mobile(period(), len(9, len(1, Buffer.from(hex, 'hex'))))).toBe(sentence)
  })

  it.each(['abc', 'NaN', '-', '.', '1e', '1 000', '0x10', '1,5', '٣'])('when a decimal is %s', (text) => {
    expect(radio(dec(5, text))).toBe(
      `base_reward_shares is "${text}"; expected a decimal of at most 20 digits before the point and 64 after it`,
    )
  })

  it.each(['100000000000000000000', '1e20', '-123456789012345678901.5'])(
    'when a decimal such as %s has 21 digits before its point',
    (text) => {
      expect(radio(dec(3, text))).toBe(
        `base_coverage_points_sum is "${text}"; expected a decimal of at most 20 digits before the point and 64 after it`,
      )
    },
  )

  it('when its end is not after its start', () => {
    expect(iot(num(1, 1_738_368_000), num(2, 1_738_368_000), len(4))).toBe(
      'start_period is 2025-02-01T00:00:00Z and end_period is 2025-02-01T00:00:00Z; ' +
        'start_period must be before end_period',
    )
    expect(mobile(num(1, 1_738_368_001), num(2, 1_738_368_000), len(7))).toBe(
      'start_period is 2025-02-01T00:00:01Z and end_period is 2025-02-01T00:00:00Z; ' +
        'start_period must be before end_period',
    )
    expect(iot(num(1, 5), len(4))).toBe(
      'start_period is 1970-01-01T00:00:05Z and end_period is 1970-01-01T00:00:00Z; ' +
        'start_period must be before end_period',
    )
  })

  it('when a period is a second beyond the year 9999', () => {
    expect(iot(num(1, 1), num(2, 253_402_300_800n), len(4))).toBe(
      'end_period is 253402300800; expected at most 253402300799',
    )
    expect(iot(num(1, 2n ** 64n - 1n), num(2, 5), len(4))).toBe(
      'start_period is 18446744073709551615; expected at most 253402300799',
    )
    expect(decodeRow('iot_reward_share', message(num(1, 1), num(2, 253_402_300_799n), len(4)))).toMatchObject(
      {
        end_period: 253_402_300_799_000_000n,
      },
    )
  })

  it('when coverage points or a seniority are out of range', () => {
    expect(mobile(period(), len(3, len(1, vectorKey), num(5, 2n ** 63n)))).toBe(
      'coverage_points is 9223372036854775808; expected at most 9223372036854775807',
    )
    expect(radio(num(9, 253_402_300_800n))).toBe(
      'seniority_timestamp is 253402300800; expected at most 253402300799',
    )
  })
})

/** What decoding throws. */
function thrownBy(kind: ArtifactKind, bytes: Uint8Array): unknown {
  try {
    return decodeRow(kind, bytes)
  } catch (error) {
    return error
  }
}

describe('bytes that are not a valid message are a fault of the file', () => {
  const share = message(period(), len(3, len(1, vectorKey), num(2, 300)))

  it('at whatever byte a share is cut within a field', () => {
    // After the 2-byte header of field 3 the message is incomplete until its end.
    const from = period().length + 1
    for (let end = from; end < share.length; end += 1) {
      const thrown = thrownBy('iot_reward_share', share.subarray(0, end))
      expect(thrown, `cut at ${end}`).toBeInstanceOf(Error)
      expect(thrown, `cut at ${end}`).not.toBeInstanceOf(RowFault)
    }
  })

  it.each([
    [
      'a nested message that is longer than its own',
      message(period(), varint(4 * 8 + 2), varint(50), num(1, 5)),
    ],
    ['a field number of 0', message(period(), Buffer.from([0x02, 0x00]))],
    ['a wire type that does not exist', message(period(), Buffer.from([0x27]))],
    ['a number of more than ten bytes', message(Buffer.from([8]), Buffer.alloc(11, 0x80))],
  ])('%s', (_, bytes) => {
    const thrown = thrownBy('iot_reward_share', bytes)
    expect(thrown).toBeInstanceOf(Error)
    expect(thrown).not.toBeInstanceOf(RowFault)
  })

  it('when a field reaches into the next message', () => {
    const bytes = message(period(), varint(4 * 8 + 2), varint(2))
    const beyond = Buffer.concat([bytes, Buffer.from([8, 5])])
    expect(() => decodeRow('iot_reward_share', beyond)).not.toThrow()
    expect(thrownBy('iot_reward_share', bytes)).not.toBeInstanceOf(RowFault)
  })
})
