import type { CountPlan, Predicate } from './plan.ts'

/** A range of end_period, both ends included, and one reward_type or all. */
export interface GroupRange {
  readonly from: bigint
  readonly to: bigint
  readonly rewardType?: string
}

const EARLIEST = -(2n ** 63n)
const LATEST = 2n ** 63n - 1n

/** A range of groups, and the value that their rows have in the column that totals are indexed by. */
export interface KeyedRange {
  readonly key: string
  readonly range: GroupRange
}

/**
 * The plan as a range of the groups that commits carry counts and sums of;
 * undefined when the plan asks for something that groups do not tell, such as a hotspot.
 */
export function groupRangeOf({ resource, where }: CountPlan): GroupRange | undefined {
  return resource.statistics === undefined ? undefined : rangeOf(where)
}

/** The plan as a range of groups and one key; undefined when it asks for more, or for no key. */
export function keyedRangeOf({ resource, where }: CountPlan): KeyedRange | undefined {
  const isKey = ({ column, match }: Predicate) => column === resource.keyed && match === 'equals'
  const keys = where.filter(isKey)
  const range = rangeOf(where.filter((predicate) => !isKey(predicate)))
  const [key] = keys
  return key === undefined || keys.length > 1 || range === undefined
    ? undefined
    : { key: key.value as string, range }
}

function rangeOf(where: readonly Predicate[]): GroupRange | undefined {
  let range: GroupRange = { from: EARLIEST, to: LATEST }
  for (const { column, match, value } of where) {
    if (column === 'end_period' && match === 'atLeast') range = { ...range, from: value as bigint }
    else if (column === 'end_period' && match === 'atMost') range = { ...range, to: value as bigint }
    else if (column === 'reward_type' && match === 'equals') range = { ...range, rewardType: value as string }
    else return undefined
  }
  return range
}
