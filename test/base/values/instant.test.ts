import { describe, expect, it } from 'vitest'
import { LAST_INSTANT, monthOf, readInstant, writeInstant } from '../../../src/base/values/instant.ts'
import { openRandom } from '../../../src/write/sample/random.ts'

const DAY = 86_400_000_000n
/** 2025-01-29T00:00:00Z, counted by hand: 20,117 days after 1970. */
const january29 = 20_117n * DAY

describe('reading an instant', () => {
  it.each([
    ['1970-01-01', 0n],
    ['2025-01-29', january29],
    ['2025-01-29T00:00Z', january29],
    ['2025-01-29T00:00:00Z', january29],
    ['2025-01-29T00:00:00', january29],
    ['2025-01-29 00:00:00', january29],
    ['2025-01-29t00:00:00z', january29],
    ['2025-01-29T00:00:01Z', january29 + 1_000_000n],
    ['2025-01-29T23:59:59Z', january29 + DAY - 1_000_000n],
    ['2025-01-29T02:00:00+02:00', january29],
    ['2025-01-29T02:00:00+0200', january29],
    ['2025-01-29T02:00:00+02', january29],
    ['2025-01-28T20:30:00-03:30', january29],
    ['2025-01-29T00:00:00-00:00', january29],
    ['2025-01-29T02:00:00 02:00', january29],
    ['2025-01-29 00:00:00 Z', january29],
    ['2025-01-29T00:00:00.5Z', january29 + 500_000n],
    ['2025-01-29T00:00:00,5Z', january29 + 500_000n],
    ['2025-01-29T00:00:00.000001Z', january29 + 1n],
    ['2025-01-29T00:00:00.123456Z', january29 + 123_456n],
    ['2024-02-29', 19_782n * DAY],
    ['2000-02-29', 11_016n * DAY],
    ['1969-12-31T23:59:59.999999Z', -1n],
    ['9999-12-31T23:59:59.999999Z', 253_402_300_799_999_999n],
  ])('reads %s', (text, micros) => {
    expect(readInstant(text)).toBe(micros)
  })

  it.each([
    '',
    'yesterday',
    '2025',
    '2025-01',
    '20250129',
    '2025-1-29',
    '25-01-29',
    '2025-00-10',
    '2025-13-01',
    '2025-01-00',
    '2025-01-32',
    '2025-02-29',
    '2025-02-30',
    '2025-04-31',
    '1900-02-29',
    '2100-02-29',
    '2025-01-29T',
    '2025-01-29T00',
    '2025-01-29T25:00Z',
    '2025-01-29T24:00:01Z',
    '2025-01-29T00:60Z',
    '2025-01-29T00:00:60Z',
    '2025-01-29T00:00:00+24:00',
    '2025-01-29T00:00:00+02:60',
    '2025-01-29T00:00:00+2',
    '2025-01-29T00:00:00.Z',
    '2025-01-29T00:00:00ZZ',
    '2025-01-29T00:00:00Z ',
    ' 2025-01-29',
    '2025-01-29\n',
    '10000-01-01',
    '-2025-01-29',
    '+002025-01-29',
    '٢٠٢٥-٠١-٢٩',
    '1738108800',
  ])('rejects %j', (text) => {
    expect(readInstant(text)).toBeUndefined()
  })

  it.each([
    ['2025-01-29T00:00:00.0000001Z', 0n, 1n],
    ['2025-01-29T00:00:00.0000009Z', 0n, 1n],
    ['2025-01-29T00:00:00.123456000000Z', 123_456n, 123_456n],
    ['2025-01-29T00:00:00.123456000001Z', 123_456n, 123_457n],
    ['2025-01-29T00:00:00.999999999Z', 999_999n, 1_000_000n],
    ['2025-01-29T00:00:00.000000000000000001Z', 0n, 1n],
  ])('rounds %s down for an end of a range and up for a start', (text, down, up) => {
    expect(readInstant(text, 'down')).toBe(january29 + down)
    expect(readInstant(text, 'up')).toBe(january29 + up)
  })

  it('rounds instants before 1970 in the same directions', () => {
    expect(readInstant('1969-12-31T23:59:59.9999999Z', 'down')).toBe(-1n)
    expect(readInstant('1969-12-31T23:59:59.9999999Z', 'up')).toBe(0n)
  })

  it('reads a date as its midnight in UTC, for every day of four centuries', () => {
    for (let days = -25_567n; days < 120_529n; days += 1n) {
      const text = new Date(Number(days) * 86_400_000).toISOString().slice(0, 10)
      if (readInstant(text) !== days * DAY) expect(text).toBe(`${days} days after 1970`)
    }
    expect(readInstant('1900-01-01')).toBe(-25_567n * DAY)
  })
})

describe('writing an instant', () => {
  it.each([
    [0n, '1970-01-01T00:00:00Z'],
    [january29, '2025-01-29T00:00:00Z'],
    [january29 + 1n, '2025-01-29T00:00:00.000001Z'],
    [january29 + 500_000n, '2025-01-29T00:00:00.5Z'],
    [january29 + 120_000n, '2025-01-29T00:00:00.12Z'],
    [january29 + 999_999n, '2025-01-29T00:00:00.999999Z'],
    [-1n, '1969-12-31T23:59:59.999999Z'],
    [-1_000_000n, '1969-12-31T23:59:59Z'],
    [-1_000_001n, '1969-12-31T23:59:58.999999Z'],
    [11_016n * DAY, '2000-02-29T00:00:00Z'],
    [LAST_INSTANT, '9999-12-31T23:59:59.999999Z'],
  ])('writes %s as %s', (micros, text) => {
    expect(writeInstant(micros)).toBe(text)
  })

  it('round-trips a thousand random instants', () => {
    const random = openRandom([1, 2, 3])
    for (let round = 0; round < 1000; round += 1) {
      const micros = BigInt(random.below(2 ** 47)) * 1000n + BigInt(random.below(1000))
      expect(readInstant(writeInstant(micros))).toBe(micros)
    }
  })
})

describe('the month of an instant', () => {
  it.each([
    [january29, '2025-01'],
    [readInstant('2025-01-31T23:59:59.999999Z'), '2025-01'],
    [readInstant('2025-02-01T00:00:00Z'), '2025-02'],
    [readInstant('2024-12-31T23:00:00-01:00'), '2025-01'],
    [0n, '1970-01'],
    [-1n, '1969-12'],
    [LAST_INSTANT, '9999-12'],
  ])('of %s is %s', (micros, month) => {
    expect(monthOf(micros ?? 0n)).toBe(month)
  })
})
