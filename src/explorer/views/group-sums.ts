import type { ChartRow } from '../ask/series.ts'
import type { Network } from '../values/networks.ts'
import { earnedOf, isPaid, type TokenEarnings } from './earned.ts'

/** The earnings of a group in one token. */
export interface GroupSum {
  readonly group: string | null
  /** Name of the hotspot or maker that is the group. */
  readonly name: string | null
  readonly earned: TokenEarnings
}

/** Returns the groups of a network that earned anything. */
export function paidGroups(network: Network, rows: readonly ChartRow[]): readonly GroupSum[] {
  return rows
    .map((row) => ({ group: row.group, name: row.name, earned: earnedOf(network)(row) }))
    .filter(({ earned }) => isPaid(earned))
}
