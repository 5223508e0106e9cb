import type { CountPlan, Predicate } from './plan.ts'

/** Periods, ends included, and one type or all. */
export interface GroupRange {
  readonly from: bigint
  readonly to: bigint
  readonly type?: string
}

const EARLIEST = -(2n ** 63n)
const LATEST = 2n ** 63n - 1n

export const ALL_GROUPS: GroupRange = { from: EARLIEST, to: LATEST }

/** A range of groups of one value of the `keyed` column. */
export interface KeyedRange {
  readonly key: string
  readonly range: GroupRange
}

/** Converts a plan to a range of the groups that commits count and sum; undefined if it has other predicates. */
export function groupRangeOf({
  resource,
  where,
}: Pick<CountPlan, 'resource' | 'where'>): GroupRange | undefined {
  const { statistics } = resource
  if (statistics === undefined) return undefined
  let [from, to] = [EARLIEST, LATEST]
  let type: string | undefined
  for (const { column, match, value } of where) {
    const isPeriod = column === statistics.period && typeof value === 'bigint'
    if (isPeriod && match === 'atLeast') from = value
    else if (isPeriod && match === 'atMost') to = value
    else if (column === statistics.type && match === 'equals' && typeof value === 'string') type = value
    else return undefined
  }
  return type === undefined ? { from, to } : { from, to, type }
}

/** Converts a plan to a range of groups and one key; undefined without a key or with other predicates. */
export function keyedRangeOf({ resource, where }: CountPlan): KeyedRange | undefined {
  const isKey = ({ column, match }: Predicate) => column === resource.keyed && match === 'equals'
  const keys = where.filter(isKey)
  const key = keys[0]?.value
  if (typeof key !== 'string' || keys.length > 1) return undefined
  const range = groupRangeOf({ resource, where: where.filter((predicate) => !isKey(predicate)) })
  return range && { key, range }
}
