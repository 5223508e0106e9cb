import fc from 'fast-check'
import { instantText } from '../instants.ts'
import { FEW_HOTSPOTS, fewEnds } from '../network/few-files.ts'
import { type Network, rewardTypes, withHotspot } from '../network/reward-types.ts'
import { hotspotText } from '../network/shares.ts'

/** A question about reward shares. */
export interface ShareQuery {
  readonly network: Network
  /** Microseconds since 1970, both ends included. */
  readonly from: bigint
  readonly to: bigint
  readonly hotspot: string | undefined
  readonly type: string | undefined
}

/** The ends of the periods, and what lies right before and right behind them. */
const edge = fc
  .tuple(fc.constantFrom(...fewEnds), fc.constantFrom(0n, 0n, 0n, 1n, -1n, 1_000_000n))
  .map(([end, away]) => end * 1_000_000n + away)

/** Left out about every other time; with a `freq` of 1 it always would be. */
const oftenAbsent = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 })

/** A hotspot that no share is of. */
const nobody = fc.constant(FEW_HOTSPOTS)

/** Two edges, or everything: a short range seldom has shares of one hotspot. */
const range = fc.oneof(
  fc.uniqueArray(edge, { minLength: 2, maxLength: 2 }),
  fc.constant([fewEnds[0] ?? 0n, fewEnds.at(-1) ?? 0n].map((end) => end * 1_000_000n)),
)

export const shareQuery: fc.Arbitrary<ShareQuery> = fc
  .constantFrom<Network>('iot', 'mobile')
  .chain((network) =>
    fc.record({
      network: fc.constant(network),
      range,
      hotspot: oftenAbsent(
        fc.oneof(fc.nat(FEW_HOTSPOTS - 1), fc.nat(FEW_HOTSPOTS - 1), nobody).map(hotspotText),
      ),
      type: oftenAbsent(
        fc.oneof(
          fc.constantFrom(...rewardTypes(network)),
          fc.constantFrom(...rewardTypes(network).filter((type) => withHotspot.has(type))),
        ),
      ),
    }),
  )
  .map(({ range: [one = 0n, other = 0n], ...more }) => ({
    ...{ from: one < other ? one : other, to: one < other ? other : one },
    ...more,
  }))

export const pageSize = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 100 }))
export const pageNumber = (max: number) => fc.integer({ min: 1, max })

/** What a GraphQL connection is asked with; cursors by the numbers of their rows. */
export const connectionBounds = fc.record({
  first: oftenAbsent(fc.nat(40)),
  last: oftenAbsent(fc.nat(40)),
  after: oftenAbsent(fc.nat(40)),
  before: oftenAbsent(fc.nat(40)),
})

export const listOf = ({ network }: ShareQuery) => `/l2/${network}-reward-shares`

/** The parameters of REST. */
export function restParameters({ from, to, hotspot, type }: ShareQuery): Readonly<Record<string, string>> {
  return {
    ...{ from: instantText(from), to: instantText(to) },
    ...(hotspot !== undefined && { hotspot_key: hotspot }),
    ...(type !== undefined && { reward_type: type }),
  }
}

/** The field of GraphQL with its arguments; `paging` is added as it is. */
export function graphqlCall({ network, from, to, hotspot, type }: ShareQuery, paging: string): string {
  const texts = { startPeriod: instantText(from), endPeriod: instantText(to), hotspotKey: hotspot }
  const given = Object.entries({ ...texts, rewardType: type }).filter(([, value]) => value !== undefined)
  const written = given.map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return `${network}RewardShares(${[...written, paging].join(', ')})`
}
