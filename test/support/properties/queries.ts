import fc from 'fast-check'
import { instantText } from '../instants.ts'
import { FEW_HOTSPOTS, fewEnds } from '../network/few-files.ts'
import { type Network, rewardTypes, withHotspot } from '../network/reward-types.ts'
import { hotspotText } from '../network/shares.ts'
import { HOTSPOTS, type Years } from '../network/years.ts'

/** A question about reward shares. */
export interface ShareQuery {
  readonly network: Network
  /** Microseconds since 1970, both ends included. */
  readonly from: bigint
  readonly to: bigint
  readonly hotspot: string | undefined
  readonly type: string | undefined
}

/** A request for a page of a list, or for its totals. */
export interface ShareRequest {
  readonly verb: 'list' | 'totals'
  readonly query: ShareQuery
  readonly page: number
  readonly perPage: number
}

const SECOND = 1_000_000n
/** Right before, at and right behind an end of a period. */
const aside = fc.constantFrom(0n, 0n, 0n, 1n, -1n, SECOND, -SECOND, 43_200n * SECOND)
/** Ends of periods in a short range. */
const SHORT = 30

/** Left out about every other time; with a `freq` of 1 it always would be. */
const oftenAbsent = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 })

/** A short range, a long one, or everything: a short range seldom has shares of one hotspot. */
function rangeOf(ends: readonly bigint[]) {
  const last = ends.length - 1
  const near = (place: number) => aside.map((away) => (ends[Math.min(place, last)] ?? 0n) * SECOND + away)
  const between = (longest: number) =>
    fc.tuple(fc.nat(last), fc.nat(longest)).chain(([at, length]) => fc.tuple(near(at), near(at + length)))
  const all = fc.constant([(ends[0] ?? 0n) * SECOND, (ends[last] ?? 0n) * SECOND] as [bigint, bigint])
  return fc
    .oneof(between(Math.min(last, SHORT)), between(last), all)
    .map(([a, b]) => (a < b ? { from: a, to: b } : { from: b, to: a === b ? a + 1n : a }))
}

/** Questions about files with these ends of periods, in seconds since 1970, and so many hotspots and one that has no share. */
function queriesAbout(ends: readonly bigint[], hotspots: number): fc.Arbitrary<ShareQuery> {
  const hotspot = fc.oneof(
    { weight: 3, arbitrary: fc.nat(hotspots - 1) },
    { weight: 1, arbitrary: fc.constant(hotspots) },
  )
  return fc.constantFrom<Network>('iot', 'mobile').chain((network) => {
    const types = rewardTypes(network)
    const type = fc.oneof(
      fc.constantFrom(...types),
      fc.constantFrom(...types.filter((one) => withHotspot.has(one))),
    )
    return fc
      .tuple(rangeOf(ends), oftenAbsent(hotspot.map(hotspotText)), oftenAbsent(type))
      .map(([range, key, one]) => ({ network, ...range, hotspot: key, type: one }))
  })
}

export const shareQuery = queriesAbout(fewEnds, FEW_HOTSPOTS)

export const pageSize = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 100 }))
const pageNumber = (max: number) => fc.integer({ min: 1, max })

/** Requests with questions; pages are mostly among those of a list of so many rows, and some lie behind its end. */
function requestsWith(queries: fc.Arbitrary<ShareQuery>, rows: number): fc.Arbitrary<ShareRequest> {
  return fc.tuple(fc.constantFrom('list', 'totals'), queries, pageSize).chain(([verb, query, perPage]) => {
    const pages = Math.ceil(rows / perPage) + 1
    const page = fc.oneof(fc.constant(1), pageNumber(Math.ceil(pages / 20)), pageNumber(pages))
    return page.map((one) => ({ verb, query, perPage, page: one }))
  })
}

export const shareRequest = requestsWith(shareQuery, 60)

/** So many requests about two years; the same seed gives the same ones. */
export function drawRequests(seed: number, { ends, files }: Years, count: number): readonly ShareRequest[] {
  const rows = files.reduce((sum, { shares }) => sum + shares.length, 0) / 2
  return fc.sample(requestsWith(queriesAbout(ends, HOTSPOTS), rows), { seed, numRuns: count })
}

/** Bounds of a GraphQL connection; cursors by the numbers of their rows. */
export const connectionBounds = fc.record({
  first: oftenAbsent(fc.nat(40)),
  last: oftenAbsent(fc.nat(40)),
  after: oftenAbsent(fc.nat(40)),
  before: oftenAbsent(fc.nat(40)),
})

/** The parameters of REST. */
export function restParameters({ from, to, hotspot, type }: ShareQuery): Readonly<Record<string, string>> {
  return {
    ...{ from: instantText(from), to: instantText(to) },
    ...(hotspot !== undefined && { hotspot_key: hotspot }),
    ...(type !== undefined && { reward_type: type }),
  }
}

/** The path below the network with its parameters. */
export function pathOf({ verb, query, page, perPage }: ShareRequest, more: object = {}): string {
  const paging = verb === 'list' ? { page: String(page), per_page: String(perPage) } : {}
  const path = `/l2/${query.network}-reward-shares${verb === 'list' ? '' : '/totals'}`
  return `${path}?${new URLSearchParams({ ...restParameters(query), ...paging, ...more })}`
}

/** The field of GraphQL with its arguments; `paging` is added as it is. */
export function graphqlCall({ network, from, to, hotspot, type }: ShareQuery, paging: string): string {
  const texts = { startPeriod: instantText(from), endPeriod: instantText(to), hotspotKey: hotspot }
  const given = Object.entries({ ...texts, rewardType: type }).filter(([, value]) => value !== undefined)
  const written = given.map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return `${network}RewardShares(${[...written, paging].join(', ')})`
}
