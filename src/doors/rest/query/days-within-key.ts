import { fail } from '../../../base/errors.ts'
import { iotRewardShares } from '../../../catalog/l2/iot-reward-shares.ts'
import { type Days, firstDayFrom, instantsOf } from '../../../catalog/query/days.ts'
import type { Filters } from '../../../catalog/query/filter-values.ts'
import type { Resource } from '../../../catalog/resource.ts'
import type { NarrowedFilters } from '../../gate/look-back.ts'

interface DaysInZone {
  readonly days: Days
  readonly tz: string
}

/**
 * Cuts days to whole days within the key's look-back; `narrow` narrows filters to it. `from` is the start of the look-back if
 * it cut the days. `last` is the parameter of the last day.
 * Errors: `malformed_request` for earlier days.
 */
export function daysWithinKey(
  { days, tz }: DaysInZone,
  last: string,
  narrow: (resource: Resource, filters: Filters) => NarrowedFilters,
): { readonly days: Days; readonly from: bigint | undefined } {
  const { from } = narrow(iotRewardShares, { from: instantsOf(days, tz).from })
  if (from === undefined) return { days, from }
  const first = firstDayFrom(from, tz)
  if (first > days.last)
    fail(
      'malformed_request',
      `The key may look back to ${first}, and ${last} is ${days.last}; write a later day.`,
    )
  return { days: { first, last: days.last }, from }
}
