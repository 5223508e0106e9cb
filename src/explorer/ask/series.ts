import type { DayCoverage } from '../values/day-states.ts'
import { rangeOf } from '../values/days.ts'
import { type Network, networkIds } from '../values/networks.ts'
import type { Span } from '../values/spans.ts'
import type { UnknownMember } from '../values/unknown.ts'
import type { Api, Given, Reply } from './api.ts'

export type { Span }

/** A row of a series: the earnings in one token in one step. Amounts are text. */
export interface ChartRow {
  readonly start: string | null
  readonly token: string | null
  readonly group: string | null
  readonly name: string | null
  readonly earned: string
  readonly usd: string | null
}

/** The median earnings of hotspots in one token, in base units. Numbers are text. */
export interface Median {
  readonly token: string
  readonly hotspots: string
  readonly median: string
}

export interface Series {
  readonly records: readonly ChartRow[]
  readonly coverage?: DayCoverage
  /** `hotspots` is the number of requested hotspots; null for the whole network. */
  readonly meta: {
    readonly hotspots: string | null
    readonly medians: readonly Median[] | null
    readonly unknown?: UnknownMember
    /** The key of each hotspot that was requested by name. */
    readonly names?: Readonly<Record<string, string>> | null
  }
}

export const sharesOf = (network: Network) => `/l2/${network}-reward-shares`

/** Selects the rewards of hotspots (keys or names, separated by commas) or of an owner; empty for all. */
export interface Selection {
  readonly hotspot_key?: string
  readonly owner?: string
}

/** Requests the sums of one network over a span. */
export function askSeries(
  api: Api,
  network: Network,
  whose: Selection,
  { first, last }: Span,
  more: Given,
): Promise<Reply<Series>> {
  return api.ask<Series>(`${sharesOf(network)}/totals/series`, { ...whose, ...rangeOf(first, last), ...more })
}

/** Requests the sums of each network over a span. */
export function askNetworks(api: Api, whose: Selection, span: Span, more: Given) {
  return Promise.all(
    networkIds.map(async (network) => ({ network, reply: await askSeries(api, network, whose, span, more) })),
  )
}
