import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pageKinds, pagePath, routeOf } from '../../src/explorer/values/addresses.ts'
import {
  compare,
  grouped,
  rounded,
  shortUsd,
  sumOf,
  symbolOf,
  wholeTokens,
} from '../../src/explorer/values/amounts.ts'
import { chooseHit } from '../../src/explorer/values/choose-hit.ts'
import { countStates, stateOf } from '../../src/explorer/values/day-states.ts'
import {
  addDays,
  ageText,
  dayPaid,
  daysBetween,
  dayText,
  isDayText,
  rangeOf,
  stepOf,
  stepText,
} from '../../src/explorer/values/days.ts'
import { readExact } from '../../src/explorer/values/exact-json.ts'
import { colorOf, networkIds } from '../../src/explorer/values/networks.ts'
import { some } from '../support/some.ts'

describe('amounts', () => {
  it.each([
    ['1750589', 'iot_reward_token_main', '0.01750589'],
    ['25352829528', 'iot_reward_token_iot', '25352.829528'],
    ['100000000', 'main', '1'],
    ['18446744073709551615', 'mobile_reward_token_main', '184467440737.09551615'],
    ['36403378988914885', 'mobile_reward_token_mobile', '36403378988.914885'],
    ['668782', null, '668782'],
    ['0', 'main', '0'],
    ['7', 'a token of the future', '7'],
  ])('%s of %s is %s', (units, token, text) => {
    expect(wholeTokens(units, token)).toBe(text)
  })

  it('have the name of their token, or bones', () => {
    const names = [
      'iot_reward_token_iot',
      'mobile_reward_token_mobile',
      'mobile_reward_token_main',
      null,
      'new',
    ]
    expect(names.map(symbolOf)).toEqual(['IOT', 'MOBILE', 'HNT', 'bones', 'bones'])
  })

  it('add up without losing a digit', () => {
    expect(sumOf(['0.0527964483222487', '184467440737.09551615', '1'])).toBe('184467440738.1483125983222487')
    expect(sumOf([])).toBe('0')
    const two = fc.tuple(fc.bigInt({ min: 0n, max: 2n ** 70n }), fc.bigInt({ min: 0n, max: 2n ** 70n }))
    fc.assert(
      fc.property(two, ([a, b]) => {
        const sum = sumOf([a, b].map((units) => wholeTokens(String(units), 'main')))
        expect(sum).toBe(wholeTokens(String(a + b), 'main'))
      }),
    )
  })

  it.each([
    ['0.05279', 4, '0.0528'],
    ['0.00005', 4, '0.0001'],
    ['0.00004999', 4, '0.0000'],
    ['99.995', 2, '100.00'],
    ['-0.125', 2, '-0.13'],
    ['1.2', 2, '1.20'],
    ['1.5', 0, '2'],
    ['12345678901234567890.125', 2, '12345678901234567890.13'],
  ])('%s to %d places is %s', (text, places, expected) => {
    expect(rounded(text, places)).toBe(expected)
  })

  it('are read in groups of three, and USD in cents unless they are few', () => {
    expect(['1234567.12345', '123', '1000', '-1234.5'].map(grouped)).toEqual([
      '1,234,567.12345',
      '123',
      '1,000',
      '-1,234.5',
    ])
    expect(['0.0527964483', '9.99999', '12.345', '1595.0749'].map((text) => shortUsd(text))).toEqual([
      '$0.0528',
      '$10.0000',
      '$12.35',
      '$1,595.07',
    ])
  })

  it('compare by all their digits', () => {
    expect(compare('9007199254740993', '9007199254740992.9')).toBe(1)
    expect(compare('1.50', '1.5')).toBe(0)
    expect(compare('0.1', '0.11')).toBe(-1)
  })
})

describe('JSON', () => {
  it('keeps every digit of every number, and does not change texts', () => {
    const text =
      '{"a":18446744073709551615,"b":[-1.50,2e3,0],"c":"say \\"12\\" and 3","d":null,"e":true,"7":{}}'
    expect(readExact(text)).toEqual({
      ...{ a: '18446744073709551615', b: ['-1.50', '2e3', '0'] },
      ...{ c: 'say "12" and 3', d: null, e: true, '7': {} },
    })
  })

  it('is the same as JSON.parse but for numbers', () => {
    const texts = fc.jsonValue({ maxDepth: 3 })
    const asText = (_: string, value: unknown) => (typeof value === 'number' ? JSON.stringify(value) : value)
    fc.assert(
      fc.property(texts, (value) => {
        const text = JSON.stringify(value)
        expect(readExact(text)).toEqual(JSON.parse(text, asText))
      }),
    )
  })

  it('that is cut off is refused', () => {
    expect(() => readExact('{"a":1')).toThrow(SyntaxError)
  })
})

describe('days', () => {
  it('are requested by the midnights after them', () => {
    expect(rangeOf('2025-02-28', '2025-02-28')).toEqual({
      from: '2025-02-28T00:00:01Z',
      to: '2025-03-01T00:00:00Z',
    })
    expect(dayPaid('2025-03-01T00:00:00Z')).toBe('2025-02-28')
    expect(dayPaid('2025-03-01T01:30:00Z')).toBe('2025-03-01')
  })

  it('follow each other over months, years and leap days', () => {
    expect(daysBetween('2024-02-28', '2024-03-01')).toEqual(['2024-02-28', '2024-02-29', '2024-03-01'])
    expect(daysBetween('2025-01-02', '2025-01-01')).toEqual([])
    expect(addDays('2025-01-01', -1)).toBe('2024-12-31')
    expect(['2025-02-30', '2025-2-3', '', null, '2024-02-29'].map(isDayText)).toEqual([
      false,
      false,
      false,
      false,
      true,
    ])
  })

  it('lie in weeks from Monday, and in months', () => {
    // 3 February 2025 was a Monday.
    expect(['2025-02-03', '2025-02-09', '2025-02-02'].map((day) => stepOf(day, 'week'))).toEqual([
      ...['2025-02-03', '2025-02-03', '2025-01-27'],
    ])
    expect([stepOf('2025-02-28', 'month'), stepOf('2025-02-28', 'day')]).toEqual(['2025-02-01', '2025-02-28'])
  })

  it('are written in words', () => {
    expect(dayText('2025-02-09')).toBe('9 Feb 2025')
    expect([stepText('2025-02-03', 'week'), stepText('2025-02-01', 'month')]).toEqual([
      'Week of 3 Feb 2025',
      'Feb 2025',
    ])
    expect(['2025-02-09', '2025-02-08', '2025-01-09'].map((day) => ageText(day, '2025-02-09'))).toEqual([
      ...['today', 'yesterday', '31 days ago'],
    ])
  })
})

describe('the state of a day', () => {
  const run = (day: string) => [{ first: day, last: day }]
  const coverage = {
    epochs: { newest: '2025-02-28', missing: run('2025-02-09'), incomplete: run('2025-02-10') },
    manifests: { missing: run('2025-02-12') },
  }

  it.each([
    ['2025-02-08', true, 'paid'],
    ['2025-02-08', false, 'nothing'],
    ['2025-02-09', false, 'missing'],
    ['2025-02-09', true, 'missing'],
    ['2025-02-10', false, 'incomplete'],
    ['2025-02-10', true, 'incomplete'],
    ['2025-02-12', true, 'unpriced'],
    ['2025-02-12', false, 'nothing'],
  ] as const)('%s, paid %s, is %s', (day, isPaid, state) => {
    expect(stateOf(day, [coverage], isPaid)).toBe(state)
  })

  it('is missing when one of two networks lacks it, and unknown lists say nothing', () => {
    const whole = { epochs: { newest: null, missing: [], incomplete: null }, manifests: null }
    expect(stateOf('2025-02-09', [whole, coverage], true)).toBe('missing')
    expect(stateOf('2025-02-09', [whole], false)).toBe('nothing')
    expect(countStates(['paid', 'paid', 'missing'])).toEqual({
      paid: 2,
      unpriced: 0,
      incomplete: 0,
      nothing: 0,
      missing: 1,
    })
  })
})

describe('an address of a page', () => {
  it('is parsed and built without loss, below a base path too', () => {
    const keys = fc.string({ minLength: 1 }).filter((key) => key !== '.' && key !== '..')
    fc.assert(
      fc.property(fc.constantFrom(...pageKinds), keys, fc.constantFrom('', '/base'), (page, key, base) => {
        expect(routeOf(base + pagePath(page, key), base)).toEqual({ page, key })
      }),
    )
    expect([routeOf('/base/', '/base'), routeOf('/', ''), routeOf('/fleet', '')]).toEqual([
      ...[{ page: 'network' }, { page: 'network' }, { page: 'fleet' }],
    ])
  })

  it('without a page is unknown, even with broken percent signs', () => {
    expect(
      ['/docs', '/hotspot', '/hotspot/', '/hotspot/a/b', '/v1/net'].map((path) => routeOf(path, '')),
    ).toEqual(Array(5).fill(undefined))
    expect(routeOf('/hotspot/%E0%A4%A', '')).toEqual({ page: 'hotspot', key: '%E0%A4%A' })
  })
})

it.each(some(networkIds))('the network %s has a colour in light and in dark', (network) => {
  const styles = readFileSync(new URL('../../src/explorer/styles.css', import.meta.url), 'utf8')
  expect(styles.split(`--${colorOf(network)}: #`)).toHaveLength(3)
  expect(styles).toContain(`.${colorOf(network)} {`)
})

describe('chooseHit', () => {
  const hit = (kind: 'owner' | 'account', key: string, isExact = true) => ({
    ...{ kind, key, text: key, path: pagePath(kind, key), isExact },
  })
  const [owner, account] = [hit('owner', 'F4ii'), hit('account', '14Xm')]

  it('chooses the owner or its account by the spelling that was typed', () => {
    expect(chooseHit([owner, account], 'F4ii')).toBe(owner)
    expect(chooseHit([owner, account], '14Xm')).toBe(account)
  })

  it('chooses the only exact hit, else the only hit, and none of several', () => {
    const begun = hit('owner', 'F4iiNG', false)
    expect(chooseHit([begun, owner], 'f4ii')).toBe(owner)
    expect(chooseHit([begun], 'F4')).toBe(begun)
    expect([chooseHit([owner, account], 'f4ii'), chooseHit([], 'F4')]).toEqual([undefined, undefined])
  })
})
