import type { Api, Given } from '../ask/api.ts'
import { askNetworks, type Selection } from '../ask/series.ts'
import type { Span } from '../values/spans.ts'
import { earnedOf, isPaid, type TokenEarnings } from './earned.ts'

/** The earnings of a group in one token. */
export interface GroupSum {
  readonly group: string | null
  /** Name of the hotspot or maker that is the group. */
  readonly name: string | null
  readonly earned: TokenEarnings
}

type GroupRequest = Given & { readonly group_by: string }

/** Requests the earnings of each group over a span, and leaves out groups that earned nothing. */
export async function askGroups(api: Api, whose: Selection, span: Span, given: GroupRequest) {
  const responses = await askNetworks(api, whose, span, { interval: 'all', ...given })
  const sums = responses.flatMap(({ network, reply }) =>
    reply.value.records.map(
      (row): GroupSum => ({
        ...{ group: row.group, name: row.name },
        earned: earnedOf(network)(row),
      }),
    ),
  )
  return {
    paid: sums.filter(({ earned }) => isPaid(earned)),
    series: responses.map(({ reply }) => reply.value),
    addresses: responses.map(({ reply }) => reply.address),
  }
}
