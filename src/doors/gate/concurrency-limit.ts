import type { FastifyReply } from 'fastify'
import { fail } from '../../base/errors.ts'
import { whenOver } from '../http/request-signal.ts'
import type { LimitLoad } from '../measures/measure.ts'

interface Limit {
  /** Counts a request of a caller in. Errors: `overloaded`. */
  readonly enter: (reply: FastifyReply, caller: string) => void
  /** Refuses where `enter` would, and counts nothing in. Errors: `overloaded`. */
  readonly requireRoom: (caller: string) => void
  readonly load: () => LimitLoad
}

/** Of many places one in so many is kept for callers who have none yet. */
const KEPT_SHARE = 8

/** Limits how many requests are answered at once; one ends when its reply is sent or its caller has disconnected. */
export function limitConcurrency(most: number, what = 'requests'): Limit {
  let taken = 0
  let refused = 0
  const kept = Math.floor(most / KEPT_SHARE)
  const takenBy = new Map<string, number>()
  const requireRoom = (caller: string) => {
    if (taken < (takenBy.has(caller) ? most - kept : most)) return
    refused += 1
    fail('overloaded', `${most} ${what} are being answered already; ask again in a moment.`)
  }
  const enter = (reply: FastifyReply, caller: string) => {
    requireRoom(caller)
    taken += 1
    takenBy.set(caller, (takenBy.get(caller) ?? 0) + 1)
    whenOver(reply, () => {
      taken -= 1
      const left = (takenBy.get(caller) ?? 0) - 1
      if (left > 0) takenBy.set(caller, left)
      else takenBy.delete(caller)
    })
  }
  return { enter, requireRoom, load: () => ({ most, running: taken, refused }) }
}
