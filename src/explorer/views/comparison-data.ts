import type { Api } from '../ask/api.ts'
import { askHotspot, askNeighbours } from '../ask/hotspots.ts'
import type { Selection } from '../ask/series.ts'
import { askStatus, coverageOf } from '../ask/status.ts'
import { askSums } from '../ask/sums.ts'
import { grouped } from '../values/amounts.ts'
import { isGap, stateOf } from '../values/day-states.ts'
import { daysBetween } from '../values/days.ts'
import { daysBefore, type Span } from '../values/spans.ts'
import { earnedOf, isPaid, type TokenEarnings, totalUsd } from './earned.ts'
import { paidGroups } from './group-sums.ts'
import { medianUsd } from './hotspot-sums.ts'

/** Amounts by token to compare a hotspot with. */
export interface Yardstick {
  readonly title: string
  /** Base units, as text. */
  readonly units: ReadonlyMap<string, string>
  readonly addresses: readonly string[]
  /** Exact USD; undefined if unknown. */
  readonly usd: string | undefined
  /** Days without all data; only of the days before. */
  readonly gaps?: number
}

/** Requests what to compare a hotspot with: the days before, its owner's hotspots, its neighbours and the network. */
export async function askYardsticks(
  api: Api,
  key: string,
  span: Span,
): Promise<readonly [before: Yardstick, ...medians: Yardstick[]]> {
  const [before, ...medians] = await Promise.all([
    askBefore(api, key, span),
    ofOwner(api, key, span),
    ofNeighbours(api, key, span),
    askMedians(api, {}, span, 1, () => 'Median of all paid hotspots'),
  ])
  return [before, ...medians.filter((one) => one !== undefined)]
}

async function askBefore(api: Api, key: string, span: Span): Promise<Yardstick> {
  const before = daysBefore(span)
  const [ofNetworks, { value: status }] = await Promise.all([
    askSums(api, { hotspot_key: key }, before, {}),
    askStatus(api),
  ])
  const earned = ofNetworks.flatMap(({ network, sums }) => sums.rows.map(earnedOf(network)))
  const paid = earned.filter(isPaid)
  const paying = ofNetworks.filter(
    ({ network }) => paid.length === 0 || paid.some((one) => one.network === network),
  )
  const coverages = paying.map(({ network }) => coverageOf(status, network))
  const days = daysBetween(before.first, before.last)
  const isHidden = (day: string) => paying.some(({ sums }) => day < (sums.meta.fromServed ?? ''))
  const isUnknown = (day: string) => isHidden(day) || isGap(stateOf(day, coverages, false))
  return {
    title: days.length === 1 ? 'The day before' : `The ${days.length} days before`,
    units: unitsByToken(paid),
    addresses: ofNetworks.map(({ address }) => address),
    usd: totalUsd(paid),
    gaps: days.filter(isUnknown).length,
  }
}

/** Units by token, without amounts of an unknown token. */
export function unitsByToken(paid: readonly TokenEarnings[]): ReadonlyMap<string, string> {
  return new Map(paid.flatMap(({ token, units }) => (token === null ? [] : [[token, units] as const])))
}

/** Of more hotspots of an owner, the median in USD is not computed: the response would be too large. */
const MOST_OWNED = 200

async function ofOwner(api: Api, key: string, span: Span): Promise<Yardstick | undefined> {
  const record = await askHotspot(api, key)
  if (record === undefined) return undefined
  const title = (hotspots: string) => `Median of its owner’s ${grouped(hotspots)} hotspots`
  const yardstick = await askMedians(api, { owner: record.value.owner }, span, MOST_OWNED, title)
  return yardstick.title === title('1') ? undefined : yardstick
}

async function ofNeighbours(api: Api, key: string, span: Span): Promise<Yardstick | undefined> {
  const record = await askHotspot(api, key)
  const around = record && (await askNeighbours(api, record.value))
  if (around === undefined || around.keys.length === 0) return undefined
  const { keys, address } = around
  const title = () => `Median of ${keys.length} hotspots around it`
  const yardstick = await askMedians(api, { hotspot_key: keys.join(',') }, span, keys.length, title)
  return { ...yardstick, addresses: [address, ...yardstick.addresses] }
}

/** `limit` is the greatest number of hotspots with a median in USD; `titleOf` gets the number of requested hotspots. */
async function askMedians(
  api: Api,
  whose: Selection,
  span: Span,
  limit: number,
  titleOf: (hotspots: string) => string,
): Promise<Yardstick> {
  const ofNetworks = await askSums(api, whose, span, { groupBy: 'HOTSPOT', limit, median: true })
  const medians = ofNetworks.flatMap(({ sums }) => sums.meta.medians ?? [])
  const hotspots = ofNetworks[0]?.sums.meta.hotspots ?? null
  const isWhole = hotspots !== null && BigInt(hotspots) <= BigInt(limit)
  const groups = ofNetworks.flatMap(({ network, sums }) => paidGroups(network, sums.rows))
  return {
    title: titleOf(hotspots ?? '0'),
    units: new Map(medians.map(({ token, median }) => [token, median])),
    addresses: ofNetworks.map(({ address }) => address),
    usd: isWhole ? medianUsd(groups)?.usd : undefined,
  }
}
