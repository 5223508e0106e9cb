import type { Api, Given } from '../ask/api.ts'
import { askNetworks, type Selection, type Span } from '../ask/series.ts'
import { type Child, h } from '../parts/h.ts'
import type { TableColumn } from '../parts/table.ts'
import { pagePath } from '../values/addresses.ts'
import { earnedOf, isPaid, type TokenEarnings } from './earned.ts'

/** The earnings of a group in one token. */
export interface GroupSum {
  readonly group: string | null
  readonly earned: TokenEarnings
}

type GroupRequest = Given & { readonly group_by: string }

/** Requests the earnings of each group over a span, and leaves out groups that earned nothing. */
export async function askGroups(api: Api, whose: Selection, span: Span, given: GroupRequest) {
  const responses = await askNetworks(api, whose, span, { interval: 'all', ...given })
  const sums = responses.flatMap(({ network, reply }) =>
    reply.value.records.map((row): GroupSum => ({ group: row.group, earned: earnedOf(network)(row) })),
  )
  return {
    paid: sums.filter(({ earned }) => isPaid(earned)),
    series: responses.map(({ reply }) => reply.value),
    addresses: responses.map(({ reply }) => reply.address),
  }
}

/** The column with a link to the page of each hotspot. */
export function hotspotColumn<Row extends { readonly key: string }>(
  base: string,
  textOf: (key: string) => Child,
): TableColumn<Row> {
  return {
    title: 'Hotspot',
    cell: ({ key }) => h('a', { href: base + pagePath('hotspot', key) }, textOf(key)),
  }
}
