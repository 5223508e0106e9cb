import type { CountPlan } from './plan.ts'

/** A range of end_period, both ends included, and one reward_type or all. */
export interface GroupRange {
  readonly from: bigint
  readonly to: bigint
  readonly rewardType?: string
}

const EARLIEST = -(2n ** 63n)
const LATEST = 2n ** 63n - 1n

/**
 * The plan as a range of the groups that commits carry counts and sums of;
 * undefined when the plan asks for something that groups do not tell, such as a hotspot.
 */
export function groupRangeOf({ resource, where }: CountPlan): GroupRange | undefined {
  if (resource.tally === undefined) return undefined
  let range: GroupRange = { from: EARLIEST, to: LATEST }
  for (const { column, match, value } of where) {
    if (column === 'end_period' && match === 'atLeast') range = { ...range, from: value as bigint }
    else if (column === 'end_period' && match === 'atMost') range = { ...range, to: value as bigint }
    else if (column === 'reward_type' && match === 'equals') range = { ...range, rewardType: value as string }
    else return undefined
  }
  return range
}
