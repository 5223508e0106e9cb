import type { GroupRange } from '../../catalog/query/group-range.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { LocatedGroup } from '../../lake/facts/group-series.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { OffloadedBytes } from '../offload/offloaded-bytes.ts'
import { BYTES } from '../offload/offloaded-groups.ts'
import type { SeriesCell } from './series-fold.ts'

/** The group of a log cell. */
export type GroupOf = (group: Pick<LocatedGroup, 'type'>) => string | null

/** Cells of a range from the log, with offloaded bytes; undefined until these are built. */
export function logCells(
  offloaded: OffloadedBytes,
  resource: Resource,
  range: GroupRange,
  at: Snapshot,
  groupOf: GroupOf,
  isCounted: GroupOf | undefined = undefined,
): readonly SeriesCell[] | undefined {
  const members = Object.values(resource.series?.sums ?? {})
  const isWanted = (group: LocatedGroup) => isCounted === undefined || isCounted(group) !== null
  const cells: SeriesCell[] = []
  for (const group of at.table(resource).statistics.groups(range)) {
    if (!isWanted(group)) continue
    const sums = members.map((member) => (typeof member === 'string' ? (group.sums[member] ?? 0n) : 0n))
    cells.push({ source: group.source, period: group.period, group: groupOf(group), sums })
  }
  for (const [index, member] of members.entries()) {
    if (typeof member === 'string') continue
    const groups = offloaded.groups(resource, member.of, range, at)
    if (groups === undefined) return undefined
    for (const group of groups) {
      if (!isWanted(group)) continue
      const sums = members.map((_, memberIndex) => (memberIndex === index ? (group.sums[BYTES] ?? 0n) : 0n))
      cells.push({ source: group.source, period: group.period, group: groupOf(group), sums })
    }
  }
  return cells
}
