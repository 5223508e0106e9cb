import fc from 'fast-check'
import { HOTSPOTS, hotspotText, type Network, periodEnds, rewardTypes } from './network.ts'

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
  .tuple(fc.constantFrom(...periodEnds), fc.constantFrom(0n, 0n, 0n, 1n, -1n, 1_000_000n))
  .map(([end, away]) => end * 1_000_000n + away)

const oftenAbsent = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 1 })

export const shareQuery: fc.Arbitrary<ShareQuery> = fc
  .constantFrom<Network>('iot', 'mobile')
  .chain((network) =>
    fc.record({
      network: fc.constant(network),
      range: fc.uniqueArray(edge, { minLength: 2, maxLength: 2 }),
      // The last hotspot is nobody's.
      hotspot: oftenAbsent(fc.nat(HOTSPOTS).map(hotspotText)),
      type: oftenAbsent(fc.constantFrom(...rewardTypes(network))),
    }),
  )
  .map(({ range: [one = 0n, other = 0n], ...more }) => ({
    ...{ from: one < other ? one : other, to: one < other ? other : one },
    ...more,
  }))

export const pageSize = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 100 }))

/** An instant with as many digits as it needs. */
function instantText(micros: bigint): string {
  const seconds = micros / 1_000_000n
  const fraction = `${1_000_000n + (micros % 1_000_000n)}`.slice(1).replace(/0+$/, '')
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19)
  return `${whole}${fraction === '' ? '' : `.${fraction}`}Z`
}

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
