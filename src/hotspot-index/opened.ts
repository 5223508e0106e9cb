import type { Resource } from '../catalog/resource.ts'
import { firstAtLeast } from '../lake/first-place.ts'
import { compareGroups } from '../lake/series.ts'
import type { GroupRange } from '../query/group-range.ts'
import { type BlockLayout, blockColumns, blockLayout, type IndexedGroup } from './block-layout.ts'
import type { Segment } from './segment.ts'
import { sumRows } from './sum-rows.ts'

/** An open segment, and what follows from its groups. */
export interface Opened {
  readonly segment: Segment
  readonly resource: Resource
  readonly columns: readonly string[]
  readonly layout: BlockLayout
  /** Groups in the order of the table, and their periods; the number of each in the segment; and the place of each number in that order. */
  readonly sorted: readonly IndexedGroup[]
  readonly periods: readonly bigint[]
  readonly groupAt: Int32Array
  readonly rankOf: Int32Array
}

export function prepare(resource: Resource, segment: Segment): Opened {
  const { groups } = segment.contents
  const order = [...groups.entries()].sort(([, a], [, b]) => compareGroups(a, b))
  const rankOf = new Int32Array(groups.length)
  for (const [rank, [group]] of order.entries()) rankOf[group] = rank
  return {
    ...{ segment, resource, rankOf },
    groupAt: Int32Array.from(order, ([group]) => group),
    columns: blockColumns(resource),
    layout: blockLayout(resource, groups),
    sorted: order.map(([, group]) => group),
    periods: order.map(([, { period }]) => period),
  }
}

/** The ranks of the groups of a range, whatever their types. */
function ranksIn(
  { periods }: Opened,
  { from, to }: GroupRange,
): { readonly first: number; readonly end: number } {
  return { first: firstAtLeast(periods, from), end: firstAtLeast(periods, to + 1n) }
}

/** By group number, 1 for each group of a range. */
export function groupsIn(opened: Opened, range: GroupRange): Uint8Array {
  const { sorted, groupAt } = opened
  const { type } = range
  const isIn = new Uint8Array(sorted.length)
  const { first, end } = ranksIn(opened, range)
  for (let rank = first; rank < end; rank += 1) {
    if (type === undefined || sorted[rank]?.type === type) isIn[groupAt[rank] ?? 0] = 1
  }
  return isIn
}

/** The same for those who ask of few groups. */
function isGroupIn(opened: Opened, range: GroupRange): (group: number) => boolean {
  const { rankOf, layout } = opened
  const { type } = range
  const { first, end } = ranksIn(opened, range)
  return (group) => {
    const rank = rankOf[group] ?? -1
    return rank >= first && rank < end && (type === undefined || layout.groups[group]?.type === type)
  }
}

/** Called for each row that is summed, with the source of the row and its amounts by column. */
export type VisitRow = (source: string, amountOf: (column: string) => bigint) => void

/** Adds the amounts of a key to `sums`, which has a member for each column to be summed. */
export function sumYear(
  opened: Opened,
  key: string,
  range: GroupRange,
  sums: Record<string, bigint>,
  visit: VisitRow | undefined,
): void {
  const { segment, layout, columns } = opened
  const rows = segment.rowsOf(key)
  if (rows === undefined) return
  const names = Object.keys(sums)
  const placeOf = (name: string) => columns.indexOf(name)
  const onRow =
    visit &&
    ((group: number, amountOf: (column: number) => bigint) =>
      visit(layout.groups[group]?.source ?? '', (name) => amountOf(placeOf(name))))
  const found = sumRows(rows, layout, isGroupIn(opened, range), names.map(placeOf), onRow)
  for (const [index, name] of names.entries()) sums[name] = (sums[name] ?? 0n) + (found[index] ?? 0n)
}
