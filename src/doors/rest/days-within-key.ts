import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../base/errors.ts'
import { iotRewardShares } from '../../catalog/l2/iot-reward-shares.ts'
import { type Days, firstDayFrom, instantsOf } from '../../catalog/query/days.ts'
import { withinLookBack } from '../gate/look-back.ts'

interface DaysInZone {
  readonly days: Days
  readonly tz: string
}

/**
 * Cuts days to whole days within the key's look-back, and sets `Ledgerlake-From`. `last` is the parameter of the last day.
 * Errors: `malformed_request` for earlier days.
 */
export function daysWithinKey(
  { days, tz }: DaysInZone,
  last: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Days {
  const { from: start } = instantsOf(days, tz)
  const { from } = withinLookBack(iotRewardShares, { from: start }, request, reply)
  if (typeof from !== 'bigint' || from === start) return days
  const first = firstDayFrom(from, tz)
  if (first > days.last)
    fail(
      'malformed_request',
      `The key may look back to ${first}, and ${last} is ${days.last}; write a later day.`,
    )
  return { first, last: days.last }
}
