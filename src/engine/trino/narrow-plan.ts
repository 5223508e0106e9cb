import { bigintOf } from '../../catalog/column.ts'
import { groupRangeOf } from '../../catalog/query/group-range.ts'
import {
  between,
  type CountPlan,
  type Position,
  type Predicate,
  type RowsPlan,
} from '../../catalog/query/plan.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { GroupKey } from '../../lake/facts/group-series.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'

/** Trino skips row groups by source file, not by instant; more names cost more than they save. */
const MOST_SOURCES = 400

const LEAST = -(2n ** 63n)
const MOST = 2n ** 63n - 1n

/** Adds the source files of the time range to a plan; undefined if no file can match. */
export function withSources<P extends CountPlan>(plan: P, at: Snapshot): P | undefined {
  const { resource, where } = plan
  const period = resource.statistics?.period
  const bounds = where.filter(({ column, value }) => column === period && typeof value === 'bigint')
  if (bounds.length === 0) return plan
  let [from, to] = [LEAST, MOST]
  for (const { match, value } of bounds) {
    const bound = bigintOf(value)
    if (match !== 'atMost' && bound > from) from = bound
    if (match !== 'atLeast' && bound < to) to = bound
  }
  const groups = from > to ? [] : at.table(resource).statistics.groups({ from, to })
  return groups.length === 0 ? undefined : { ...plan, where: [...where, ...ofSources(groups)] }
}

/**
 * Limits a page to the few groups with its rows, since Trino sorts all rows before an offset. Returns undefined for
 * an empty page.
 */
export function withinGroups(plan: RowsPlan, at: Snapshot): RowsPlan | undefined {
  const { resource, where, after, before, offset, limit } = plan
  const range = groupRangeOf(plan)
  if (range === undefined || !isInGroups(resource)) return plan
  const { statistics } = at.table(resource)
  const divided = (position: Position) => statistics.divide(range, keyOf(position))
  const low = after && divided(after)
  const high = before && divided(before)
  const first = low?.before ?? 0
  const end = high === undefined ? statistics.count(range) : high.before + high.rows
  // Part of the group of a cursor may lie outside the page.
  const needed = offset + limit
  const [from, to] = plan.fromEnd
    ? [Math.max(first, end - needed - (high?.rows ?? 0)), end]
    : [low === undefined ? first + offset : first, Math.min(end, first + needed + (low?.rows ?? 0))]
  const groups = from >= to ? [] : statistics.cut(range, from, to - from).map(({ group }) => group)
  const [firstGroup] = groups
  const last = groups.at(-1)
  if (firstGroup === undefined || last === undefined) return undefined
  const period = resource.statistics?.period ?? ''
  const bounds = between(period, firstGroup.period, last.period)
  const narrowed = { ...plan, where: [...where, ...bounds, ...ofSources(groups)] }
  if (plan.fromEnd || after !== undefined) return narrowed
  return {
    ...narrowed,
    after: startOf(resource, firstGroup),
    offset: from - statistics.divide(range, firstGroup).before,
  }
}

/** True if the order begins with the group columns of the log. */
function isInGroups({ order, statistics }: Resource): boolean {
  const [period, type, source] = order.map(({ column }) => column)
  return period === statistics?.period && type === statistics?.type && source === 'source_file'
}

function keyOf([period, type, source]: Position): GroupKey {
  return { period: bigintOf(period), type: String(type), source: String(source) }
}

/** Position before the first row of a group: nulls sort first. */
function startOf({ order }: Resource, { period, type, source }: GroupKey): Position {
  return order.map((_, step) => [period, type, source][step] ?? null)
}

function ofSources(groups: readonly GroupKey[]): readonly Predicate[] {
  const names = [...new Set(groups.map(({ source }) => source))]
  return names.length > MOST_SOURCES ? [] : [{ column: 'source_file', match: 'anyOf', value: names }]
}
