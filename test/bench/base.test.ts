import { describe, expect, it } from 'vitest'
import { commitOf } from '../../bench/base/build-base.ts'
import { type Build, ratioOf, ratioTable, verdictOf } from '../../bench/base/ratios.ts'
import type { TimedCase } from '../../bench/peers/measure.ts'
import { checkEqual } from '../../bench/support/equal-bodies.ts'

const noise = { middle: 1, least: 0.95, most: 1.1 }

describe('ratios of a build to its base', () => {
  it('are 2 for a build that serves half as many requests a second', () => {
    expect(ratioOf([50, 100, 100], [100, 100, 80])).toEqual({ middle: 1, least: 0.8, most: 2 })
  })

  it('throw if the two builds differ in rounds, or have none', () => {
    expect(() => ratioOf([1, 2], [1])).toThrow('2 rounds are compared with 1')
    expect(() => ratioOf([], [])).toThrow('0 rounds are compared with 0')
  })

  it.each([
    [1.11, 'slower'],
    [1.1, 'same'],
    [0.95, 'same'],
    [0.94, 'faster'],
  ])('of %d are judged %s if the base differs from itself by 0.95 to 1.1', (middle, verdict) => {
    expect(verdictOf({ middle, least: 0.5, most: 2 }, noise)).toBe(verdict)
  })

  it('of less than one are never judged slower, however steady the base is', () => {
    const steady = { middle: 0.9, least: 0.85, most: 0.95 }
    expect(verdictOf({ middle: 0.97, least: 0.97, most: 0.97 }, steady)).toBe('same')
  })

  it('are printed with the noise and the names of slower cases', () => {
    expect(ratioTable([timed({ base: [100], again: [100], head: [50] })])).toBe(
      [
        '| request   |   c | base ms | head ms | head/base |     rounds | base/base |     rounds | verdict |',
        '| --------- | --: | ------: | ------: | --------: | ---------: | --------: | ---------: | ------: |',
        '| T1 totals |  16 |    10.0 |    20.0 |      2.00 | 2.00..2.00 |      1.00 | 1.00..1.00 |  slower |',
        '',
        'Geometric mean of head/base 2.000, of base/base 1.000. Slower by more than the noise: T1 totals (16).',
      ].join('\n'),
    )
  })
})

it('different responses are shown from their first difference', () => {
  const check = (ours: string, theirs: string) =>
    checkEqual('/a', { ours: Buffer.from(ours), 'the others': Buffer.from(theirs) })
  check('{"n":1}', '{"n":1}')
  expect(() => check('{"n":1}', '{"n":2}')).toThrow(
    '/a is answered differently at byte 5: {"n":1} by ours, {"n":2} by the others',
  )
  expect(() => check('{}', '{}\n')).toThrow('at byte 2')
})

it('--base refuses a text that names no commit', () => {
  expect(() => commitOf('no-such-branch')).toThrow(
    '--base is no-such-branch; use a commit, branch or tag of this repository',
  )
  expect(() => commitOf('--all')).toThrow('--base is --all;')
})

/** A case whose answers took as long as their rate says. */
function timed(perSecond: Readonly<Record<Build, readonly number[]>>): TimedCase<Build> {
  const implementations = Object.fromEntries(
    Object.entries(perSecond).map(([build, rates]) => {
      const micros = 1e6 / (rates[0] as number)
      return [build, { samples: 1, p50: micros, p99: micros, max: micros, perSecond: rates, micros: [] }]
    }),
  )
  return { id: 'T1', name: 'totals', distinct: 1, connections: 16, implementations }
}
