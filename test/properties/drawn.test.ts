import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawRequests } from '../support/differential/requests.ts'
import { drawFewFiles } from '../support/network/few-files.ts'
import { inListOrder, matching } from '../support/network/reward-list.ts'
import { type Network, rewardTypes, withHotspot } from '../support/network/reward-types.ts'
import { drawOddRewards } from '../support/network/rewards.ts'
import { drawYears } from '../support/network/years.ts'
import { openAnswers } from '../support/properties/answers.ts'
import { sharesOf } from '../support/properties/model.ts'
import { connectionBounds, pageNumber, pageSize, shareQuery } from '../support/properties/queries.ts'
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

describe.each(SEEDS)('drawn from seed %i', (seed) => {
  const queries = sample(shareQuery, seed)
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

  it.each(networks)(
    'requests about the %s network have each filter and none, with and without rows',
    (network) => {
      const own = queries.filter((query) => query.network === network)
      const answers = openAnswers(files)
      for (const query of own) answers.of(query)
      answers.expectEach(5)
      expectEach(
        own.map(({ type }) => type ?? 'absent'),
        ['absent', ...rewardTypes(network)],
        2,
      )
      // Five that earned something, and one that is nobody's.
      const hotspots = countsOf(own.flatMap(({ hotspot }) => hotspot ?? []))
      expect(Object.keys(hotspots)).toHaveLength(6)
    },
  )

  it('pages have one, few and many rows, and are the first or others', () => {
    const sizes = sample(pageSize, seed).map((size) => (size === 1 ? 'one' : size <= 12 ? 'few' : 'many'))
    expectEach(sizes, ['one', 'few', 'many'], 5)
    expectEach(
      sample(pageNumber(40), seed).map((page) => (page === 1 ? 'first' : page <= 5 ? 'near' : 'far')),
      ['first', 'near', 'far'],
      5,
    )
  })

  it('connections have each of first, last, after and before, and each is left out', () => {
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

  it('lists of the ledger have each filter and none, with and without rows', () => {
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

describe('drawn for the differential test', () => {
  const years = drawYears('ci', 28, 14)
  const requests = drawRequests('ci', years, 300)

  it.each(['list', 'totals'])(
    'requests for %s have each filter and none, with answers and without',
    (verb) => {
      const own = requests.filter((request) => request.verb === verb)
      const answers = openAnswers(years.files)
      for (const { query } of own) answers.of(query)
      answers.expectEach(2)
    },
  )

  it.each(networks)('requests about the %s network have every type and none', (network) => {
    const own = requests.filter(({ query }) => query.network === network)
    expectEach(
      own.map(({ query }) => query.type ?? 'absent'),
      ['absent', ...rewardTypes(network)],
      2,
    )
  })

  it('lists are of pages with records and of pages without', () => {
    const lists = requests.filter(({ verb }) => verb === 'list')
    const pages = lists.map(({ query, page, perPage }) =>
      answer(sharesOf(years.files, query).slice((page - 1) * perPage, page * perPage)),
    )
    expectEach(pages, ['some', 'none'], 20)
  })

  it('some files are replaced, some have no manifest, and some have a late one', () => {
    expect(years.replaced.length).toBeGreaterThan(0)
    expect(years.late.size).toBeGreaterThan(0)
    expect(years.files.some(({ manifests }) => manifests.length === 0)).toBe(true)
  })
})
