import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packDecimal, packUnits, unpackDecimal } from '../../../src/base/values/packed-decimal.ts'
import { Decimals, Wides } from '../../../src/base/values/vector.ts'

/** Numbers of 128 bits in two's complement, as an engine holds them. */
function widesOf(units: readonly bigint[]): Wides {
  const view = new DataView(new ArrayBuffer(units.length * 16))
  for (const [row, own] of units.entries()) {
    view.setBigUint64(row * 16, BigInt.asUintN(64, own), true)
    view.setBigInt64(row * 16 + 8, own >> 64n, true)
  }
  return new Wides(new Uint16Array(view.buffer), undefined)
}

describe('decimals in units of 10^-18', () => {
  it.each([
    [0n, '0', 0],
    [10n ** 18n, '1', 64],
    [250_000_000_000_000_000n, '0.25', 25 * 64 + 2],
    [796_014_640_000_000_000_000n, '796.01464', 79_601_464 * 64 + 5],
    [1n, '0.000000000000000001', 64 + 18],
    [10n ** 9n, '0.000000001', 64 + 9],
    [120n * 10n ** 18n, '120', 120 * 64],
    [-(10n ** 18n), '-1', -1],
    [2n ** 127n - 1n, '170141183460469231731.687303715884105727', -1],
    [-(2n ** 127n), '-170141183460469231731.687303715884105728', -1],
    [10n ** 33n + 1n, '1000000000000000.000000000000000001', -1],
  ])('%s is the text %s, and packed %s', (units, text, packed) => {
    const wides = widesOf([5n, units])
    expect(new Decimals(wides, 18).at(1)).toBe(text)
    expect(packUnits(wides, 1, 18)).toBe(packed)
    if (packed >= 0) expect(packDecimal(text)).toBe(BigInt(packed))
  })

  it('are packed like their texts, or not at all', () => {
    let some = 0
    const usual = fc.bigInt({ min: 0n, max: 10n ** 10n })
    const digits = fc.oneof(usual, usual, usual, fc.bigInt({ min: -(10n ** 16n), max: 10n ** 16n }))
    fc.assert(
      fc.property(digits, fc.integer({ min: 0, max: 18 }), (number, zeros) => {
        const wides = widesOf([number * 10n ** BigInt(zeros)])
        const text = new Decimals(wides, 18).at(0) ?? ''
        const packed = packUnits(wides, 0, 18)
        if (packed === -1) return
        some += 1
        expect(packDecimal(text)).toBe(BigInt(packed))
        expect(unpackDecimal(BigInt(packed))).toBe(text)
      }),
      { numRuns: 2000 },
    )
    expect(some).toBeGreaterThan(1000)
  })

  it('with another number of fraction digits are not packed', () => {
    expect(packUnits(widesOf([1500n]), 0, 3)).toBe(-1)
    expect(packUnits(widesOf([1500n]), 0, 32)).toBe(-1)
    expect(new Decimals(widesOf([1500n]), 3).at(0)).toBe('1.5')
  })
})
