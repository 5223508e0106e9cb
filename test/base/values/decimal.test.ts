import { describe, expect, it } from 'vitest'
import {
  formatAmount,
  readDecimal,
  scaledDecimal,
  storedDecimal,
  truncatedDecimal,
} from '../../../src/base/values/decimal.ts'
import { offloadedBytes } from '../../../src/catalog/records/offloaded-bytes.ts'
import { openRandom } from '../../../src/write/sample/random.ts'

describe('reading a decimal', () => {
  it.each([
    ['0', '0'],
    ['7', '7'],
    ['007.50', '7.5'],
    ['+5', '5'],
    ['-5', '-5'],
    ['-0', '0'],
    ['-0.000', '0'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['-.5', '-0.5'],
    ['1e3', '1000'],
    ['1E+3', '1000'],
    ['12e-1', '1.2'],
    ['.005e-1', '0.0005'],
    ['.05e1', '0.5'],
    ['120e-1', '12'],
    ['0e9999', '0'],
    ['0e-9999', '0'],
    ['9007199254740993', '9007199254740993'],
    ['18446744073709551615.000000000000000001', '18446744073709551615.000000000000000001'],
    ['0.0000000000000000001', '0.0000000000000000001'],
    ['4240.251820075090619', '4240.251820075090619'],
    ['31358.655119335628677836557476', '31358.655119335628677836557476'],
    [`0.${'0'.repeat(63)}1`, `0.${'0'.repeat(63)}1`],
    [`0.${'1'.repeat(64)}0000`, `0.${'1'.repeat(64)}`],
    ['1e40', `1${'0'.repeat(40)}`],
    ['7.50', '7.5'],
    ['7.0', '7'],
    ['07.5', '7.5'],
    ['00', '0'],
    ['0.0', '0'],
    [`7.${'1'.repeat(64)}`, `7.${'1'.repeat(64)}`],
  ])('reads %s as %s', (text, plain) => {
    expect(readDecimal(text)).toBe(plain)
  })

  it.each([
    '',
    '.',
    '-',
    '+',
    'e5',
    '.e5',
    ' 5',
    '5 ',
    '5\n',
    '1,5',
    '1_000',
    '0x10',
    '1.2.3',
    '--5',
    '1e',
    '1e1.5',
    '1e10000',
    'NaN',
    'Infinity',
    '٣',
    `0.${'0'.repeat(64)}1`,
    `7.${'1'.repeat(65)}`,
    '1e-65',
  ])('rejects %j', (text) => {
    expect(readDecimal(text)).toBeUndefined()
  })

  it('keeps the value of a thousand random texts with point, exponent, sign and needless zeros', () => {
    const random = openRandom([1, 2, 3])
    const digits = (most: number) =>
      Array.from({ length: random.below(most + 1) }, () => random.below(10)).join('')
    for (let round = 0; round < 1000; round += 1) {
      const whole = digits(25)
      const fraction = digits(20)
      if (whole + fraction === '') continue
      const exponent = random.below(61) - 30
      const sign = ['', '-', '+'][random.below(3)] ?? ''
      const text = `${sign}${whole}.${fraction}e${exponent}`

      // Both sides as integers in units of 10^-60, which every case here fits.
      const unsigned = BigInt(whole + fraction) * 10n ** BigInt(60 - fraction.length + exponent)
      const expected = sign === '-' ? -unsigned : unsigned
      const read = readDecimal(text)
      expect(inUnits(read ?? '', 60), text).toBe(expected)
      expect(read, text).toMatch(/^(0|-?(?!0$)(0|[1-9]\d*)(\.\d*[1-9])?)$/)
    }
  })
})

/** Plain text as an integer in units of 10^-scale. */
function inUnits(plain: string, scale: number): bigint {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(plain) ?? []
  const units = BigInt(whole + fraction.padEnd(scale, '0'))
  return sign === '-' ? -units : units
}

describe('a decimal in 38 digits', () => {
  it.each([
    ['0', '0'],
    ['1.000000000000000001', '1.000000000000000001'],
    ['1.0000000000000000019', '1.000000000000000001'],
    ['-1.0000000000000000019', '-1.000000000000000001'],
    ['0.9999999999999999999', '0.999999999999999999'],
    ['0.0000000000000000009', '0'],
    ['-0.0000000000000000009', '0'],
    ['1.1000000000000000009', '1.1'],
    ['99999999999999999999.999999999999999999', '99999999999999999999.999999999999999999'],
    ['-99999999999999999999', '-99999999999999999999'],
  ])('%s is stored as %s', (plain, stored) => {
    expect(storedDecimal(plain)).toBe(stored)
  })

  it.each(['100000000000000000000', '-100000000000000000000', '123456789012345678901.5'])(
    '%s with its 21 digits before the point is too long',
    (plain) => {
      expect(storedDecimal(plain)).toBeUndefined()
    },
  )

  it('is the value cut toward zero, for a thousand random decimals', () => {
    const random = openRandom([4, 5, 6])
    for (let round = 0; round < 1000; round += 1) {
      const units = randomBigint(random, 10n ** 60n) - 5n * 10n ** 59n
      const plain = readDecimal(`${units}e-40`) ?? ''
      expect(inUnits(storedDecimal(plain) ?? '', 18), plain).toBe(units / 10n ** 22n)
    }
  })
})

describe('a stored decimal in units of its last digit', () => {
  it.each([
    ['0', 0n],
    ['7', 7_000_000_000_000_000_000n],
    ['-7', -7_000_000_000_000_000_000n],
    ['0.000000000000000001', 1n],
    ['-0.000000000000000001', -1n],
    ['-0.5', -500_000_000_000_000_000n],
    ['9007199254740993.1', 9_007_199_254_740_993_100_000_000_000_000_000n],
    ['99999999999999999999.999999999999999999', 10n ** 38n - 1n],
    ['-99999999999999999999.999999999999999999', 1n - 10n ** 38n],
  ])('of %s is %s', (stored, units) => {
    expect(scaledDecimal(stored)).toBe(units)
  })
})

describe('a decimal cut to an integer', () => {
  it.each([
    ['3.739700217007648', 3n],
    ['0.9087759303', 0n],
    ['-0.9', 0n],
    ['-1.9', -1n],
    ['668060.655119335628677836557476', 668060n],
    ['9007199254740993.99', 9007199254740993n],
    ['18446744073709551615.5', 2n ** 64n - 1n],
    ['1.5e3', 1500n],
    ['000', 0n],
  ])('%s becomes %s', (text, integer) => {
    expect(truncatedDecimal(text)).toBe(integer)
  })

  it('does not exist for text that is not a decimal', () => {
    expect(truncatedDecimal('four')).toBeUndefined()
  })
})

describe('an amount in whole tokens', () => {
  it.each([
    [0n, 8, '0.0'],
    [0n, 6, '0.0'],
    [1n, 8, '0.00000001'],
    [469n, 8, '0.00000469'],
    [113_220n, 8, '0.0011322'],
    [374_967n, 8, '0.00374967'],
    [100_000_000n, 8, '1.0'],
    [100_000_000n, 6, '100.0'],
    [28_073n, 6, '0.028073'],
    [999_999n, 6, '0.999999'],
    [1_000_000n, 6, '1.0'],
    [2n ** 53n - 1n, 8, '90071992.54740991'],
    [2n ** 53n + 1n, 8, '90071992.54740993'],
    [2n ** 63n, 6, '9223372036854.775808'],
    [2n ** 64n - 1n, 8, '184467440737.09551615'],
    [2n ** 64n - 1n, 6, '18446744073709.551615'],
    [2n ** 70n, 8, '11805916207174.11303424'],
  ])('%s with %i decimals is %s', (units, decimals, text) => {
    expect(formatAmount(units, decimals)).toBe(text)
  })

  it('keeps the value of a thousand random 64-bit amounts', () => {
    const random = openRandom([7, 8, 9])
    for (let round = 0; round < 1000; round += 1) {
      const units = randomBigint(random, 2n ** BigInt(1 + random.below(64)))
      const decimals = random.chance(0.5) ? 6 : 8
      const text = formatAmount(units, decimals)
      expect(text).toMatch(/^(0|[1-9]\d*)\.(0|\d*[1-9])$/)
      expect(inUnits(text, decimals)).toBe(units)
    }
  })
})

describe('offloaded bytes', () => {
  it.each([
    // The known check value of the formula reward / price / 0.5 * 2^30.
    [118_844_093n, 329_923_000n, 773_561_547n],
    [0n, 71_557n, 0n],
    // Exactly a half goes up, less than a half goes down.
    [1n, 2n ** 32n, 1n],
    [1n, 2n ** 32n + 1n, 0n],
    [3n, 2n ** 32n, 2n],
    [1n, 1n, 2n ** 31n],
    [2n ** 64n - 1n, 1n, (2n ** 64n - 1n) * 2n ** 31n],
    [2n ** 64n - 1n, 2n ** 64n - 1n, 2n ** 31n],
  ])('of %s bones at price %s are %s', (reward, price, bytes) => {
    expect(offloadedBytes(reward, price)).toBe(bytes)
  })

  it('differ from the exact quotient by at most half a byte', () => {
    const random = openRandom([10, 11, 12])
    for (let round = 0; round < 1000; round += 1) {
      const reward = randomBigint(random, 2n ** 64n)
      const price = 1n + randomBigint(random, 2n ** BigInt(1 + random.below(64)))
      const twiceOff = 2n * (offloadedBytes(reward, price) * price - reward * 2n ** 31n)
      expect(twiceOff <= price && twiceOff > -price, `${reward} / ${price}`).toBe(true)
    }
  })
})

function randomBigint(random: ReturnType<typeof openRandom>, end: bigint): bigint {
  return BigInt(`0x${Buffer.from(random.bytes(32)).toString('hex')}`) % end
}
