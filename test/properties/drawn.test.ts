import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawFewFiles } from '../support/network/few-files.ts'
import { inListOrder, matching } from '../support/network/reward-list.ts'
import { type Network, rewardTypes, withHotspot } from '../support/network/reward-types.ts'
import { drawOddRewards } from '../support/network/rewards.ts'
import { drawYears } from '../support/network/years.ts'
import { openAnswers } from '../support/properties/answers.ts'
import { pageOf } from '../support/properties/model.ts'
import { connectionBounds, drawRequests, pageSize, shareRequest } from '../support/properties/queries.ts'
import { rewardFilters } from '../support/properties/reward-queries.ts'

/** What the generators draw: a property that holds of nothing proves nothing. */

const SEEDS = [1, 2]
const DRAWS = 400
const networks: readonly Network[] = ['iot', 'mobile']

/** How often each text came. */
function countsOf(texts: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1
  return counts
}

/** Each of these came at least so often. */
function expectEach(texts: readonly string[], names: readonly string[], least: number): void {
  const counts = countsOf(texts)
  for (const name of names)
    expect(counts[name] ?? 0, `${name} of ${JSON.stringify(counts)}`).toBeGreaterThanOrEqual(least)
}

const sample = <T>(arbitrary: fc.Arbitrary<T>, seed: number) => fc.sample(arbitrary, { seed, numRuns: DRAWS })
const answer = (rows: readonly unknown[]) => (rows.length > 0 ? 'some' : 'none')
const given = (value: unknown) => (value === undefined ? 'absent' : 'given')

const years = drawYears('1', 28, 14)

describe.each([
  ...SEEDS.map((seed) => ({
    of: `few files of seed ${seed}`,
    files: drawFewFiles(seed),
    requests: sample(shareRequest, seed),
  })),
  { of: 'two years', files: years.files, requests: drawRequests(1, years, DRAWS) },
])('requests about $of', ({ files, requests }) => {
  it.each(['list', 'totals'])('for %s use and omit each filter, and find rows and none', (verb) => {
    const answers = openAnswers(files)
    for (const request of requests.filter((one) => one.verb === verb)) answers.of(request.query)
    answers.expectEach(5)
  })

  it.each(networks)('about the %s network name every reward type, and some name none', (network) => {
    const own = requests.filter(({ query }) => query.network === network)
    expectEach(
      own.map(({ query }) => query.type ?? 'absent'),
      ['absent', ...rewardTypes(network)],
      2,
    )
    const hotspots = new Set(own.flatMap(({ query }) => query.hotspot ?? []))
    // Five of the few files earned something, and one is nobody's.
    expect(hotspots.size).toBeGreaterThanOrEqual(6)
  })

  it('are for first, near and far pages, with and without records', () => {
    const lists = requests.filter(({ verb }) => verb === 'list')
    expectEach(
      lists.map((request) => answer(pageOf(files, request))),
      ['some', 'none'],
      20,
    )
    expectEach(
      lists.map(({ page }) => (page === 1 ? 'first' : page <= 5 ? 'near' : 'far')),
      ['first', 'near', 'far'],
      5,
    )
  })
})

it('two years have files that were replaced, that have no manifest, and that have a late one', () => {
  expect(years.replaced.length).toBeGreaterThan(0)
  expect(years.late.size).toBeGreaterThan(0)
  expect(years.files.some(({ manifests }) => manifests.length === 0)).toBe(true)
})

describe.each(SEEDS)('drawn from seed %i', (seed) => {
  const files = drawFewFiles(seed)

  it.each(networks)(
    'a network has shares of the %s network, of every type and of several hotspots',
    (network) => {
      const shares = files.filter((file) => file.network === network).flatMap((file) => file.shares)
      expect(shares.length).toBeGreaterThanOrEqual(30)
      expect([...new Set(shares.map(({ type }) => type))].sort()).toEqual([...rewardTypes(network)].sort())
      expect(new Set(shares.flatMap(({ hotspot }) => hotspot ?? [])).size).toBeGreaterThan(2)
      for (const { type, hotspot } of shares) expect(hotspot !== null, type).toBe(withHotspot.has(type))
    },
  )

  it('pages have one, few and many rows', () => {
    const sizes = sample(pageSize, seed).map((size) => (size === 1 ? 'one' : size <= 12 ? 'few' : 'many'))
    expectEach(sizes, ['one', 'few', 'many'], 5)
  })

  it('connections use and omit each of first, last, after and before, in every combination', () => {
    const bounds = sample(connectionBounds, seed)
    for (const name of ['first', 'last', 'after', 'before'] as const)
      expectEach(
        bounds.map((own) => given(own[name])),
        ['given', 'absent'],
        DRAWS / 10,
      )
    const together = bounds.map((own) => Object.values(own).map(given).join(' '))
    expect(new Set(together).size).toBe(16)
  })

  it('lists of the ledger use and omit each filter, and find rows and none', () => {
    const rewards = inListOrder(drawOddRewards(seed))
    expect(rewards.length).toBeGreaterThan(30)
    const filters = sample(rewardFilters, seed)
    const names = ['account_address', 'gateway_address', 'transaction_hash', 'type', 'block', 'from', 'to']
    for (const name of names) {
      const told = filters.map((own) => `${given(own[name])}: ${answer(matching(rewards, own))}`)
      expectEach(told, ['absent: none', 'absent: some', 'given: none', 'given: some'], 5)
    }
    expect(filters.filter((own) => Object.keys(own).length === 0).length).toBeGreaterThan(20)
    expect(filters.filter((own) => Object.keys(own).length > 2).length).toBeGreaterThan(20)
  })
})
