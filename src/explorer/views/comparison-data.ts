import type { Api } from '../ask/api.ts'
import { askHotspot, askNeighbours } from '../ask/hotspots.ts'
import { askNetworks, type Selection } from '../ask/series.ts'
import { grouped } from '../values/amounts.ts'
import { isGap, stateOf } from '../values/day-states.ts'
import { daysBetween } from '../values/days.ts'
import { daysBefore, type KnownDays, type Span } from '../values/spans.ts'
import { earnedOf, isPaid, type TokenEarnings, totalUsd } from './earned.ts'

/** Amounts by token to compare a hotspot with. */
export interface Yardstick {
  readonly title: string
  /** Base units, as text. */
  readonly units: ReadonlyMap<string, string>
  readonly addresses: readonly string[]
  /** USD; only of the days before. */
  readonly usd?: string | undefined
  /** Days without all data; only of the days before. */
  readonly gaps?: number
}

/** Requests what to compare a hotspot with: the days before, its owner's hotspots, its neighbours and the network. */
export async function askYardsticks(
  api: Api,
  key: string,
  span: Span,
  known: KnownDays,
): Promise<readonly [before: Yardstick, ...medians: Yardstick[]]> {
  const [before, ...medians] = await Promise.all([
    askBefore(api, key, span, known),
    ofOwner(api, key, span),
    ofNeighbours(api, key, span),
    askMedians(api, {}, span, () => 'Median of all paid hotspots'),
  ])
  return [before, ...medians.filter((one) => one !== undefined)]
}

async function askBefore(api: Api, key: string, span: Span, known: KnownDays): Promise<Yardstick> {
  const before = { ...span, ...daysBefore(span) }
  const responses = await askNetworks(api, { hotspot_key: key }, before, {
    interval: 'all',
    coverage: 'true',
  })
  const earned = responses.flatMap(({ network, reply }) => reply.value.records.map(earnedOf(network)))
  const paid = earned.filter(isPaid)
  const paying = responses.filter(
    ({ network }) => paid.length === 0 || paid.some((one) => one.network === network),
  )
  const coverages = paying.flatMap(({ reply }) => reply.value.coverage ?? [])
  const days = daysBetween(before.first, before.last)
  const isUnknown = (day: string) => day < known.first || isGap(stateOf(day, coverages, false))
  return {
    title: days.length === 1 ? 'The day before' : `The ${days.length} days before`,
    units: unitsByToken(paid),
    addresses: responses.map(({ reply }) => reply.address),
    usd: totalUsd(paid),
    gaps: days.filter(isUnknown).length,
  }
}

/** Units by token, without amounts of an unknown token. */
export function unitsByToken(paid: readonly TokenEarnings[]): ReadonlyMap<string, string> {
  return new Map(paid.flatMap(({ token, units }) => (token === null ? [] : [[token, units] as const])))
}

async function ofOwner(api: Api, key: string, span: Span): Promise<Yardstick | undefined> {
  const record = await askHotspot(api, key)
  if (record === undefined) return undefined
  const title = (hotspots: string) => `Median of its owner’s ${grouped(hotspots)} hotspots`
  const yardstick = await askMedians(api, { owner: record.value.owner }, span, title)
  return yardstick.title === title('1') ? undefined : yardstick
}

async function ofNeighbours(api: Api, key: string, span: Span): Promise<Yardstick | undefined> {
  const record = await askHotspot(api, key)
  const around = record && (await askNeighbours(api, record.value))
  if (around === undefined || around.keys.length === 0) return undefined
  const { keys, address } = around
  const title = () => `Median of ${keys.length} hotspots around it`
  const yardstick = await askMedians(api, { hotspot_key: keys.join(',') }, span, title)
  return { ...yardstick, addresses: [address, ...yardstick.addresses] }
}

/** `titleOf` gets the number of requested hotspots. */
async function askMedians(
  api: Api,
  whose: Selection,
  span: Span,
  titleOf: (hotspots: string) => string,
): Promise<Yardstick> {
  const given = { interval: 'all', group_by: 'hotspot', limit: '1', median: 'true' }
  const responses = await askNetworks(api, whose, span, given)
  const medians = responses.flatMap(({ reply }) => reply.value.meta.medians ?? [])
  return {
    title: titleOf(responses[0]?.reply.value.meta.hotspots ?? '0'),
    units: new Map(medians.map(({ token, median }) => [token, median])),
    addresses: responses.map(({ reply }) => reply.address),
  }
}
