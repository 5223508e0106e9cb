import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../base/errors.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import type { BacklogLoad } from '../measures/measure.ts'
import { Admission, type AdmissionOptions } from './admission.ts'
import { callerOf } from './caller.ts'
import type { Work } from './costs.ts'
import { RefusedBefore } from './refused-before.ts'

/** The queue of all work that requests have to wait for. */
export interface WorkQueue {
  /** Does work when it is its turn, which ends with the signal at the latest. Errors: `overloaded`, at once, where it would have to wait too long. */
  inTurn<T>(reply: FastifyReply, work: Work, signal: AbortSignal, job: () => Promise<T>): Promise<T>
  /**
   * After how many seconds a request should come again, if its caller would be refused with the cheapest of what it asked of its route
   * lately; otherwise undefined. It costs next to nothing, so nothing of the request has to be looked at.
   */
  refusedAtOnce(request: FastifyRequest): number | undefined
  /** Whether any work waits for its turn. */
  hasWaiting(): boolean
  load(): BacklogLoad
}

export const TOO_MUCH =
  'The server has as much to do as it can finish in time; ask again after the seconds of Retry-After.'

export function openWorkQueue(options: AdmissionOptions): WorkQueue {
  const admission = new Admission(options)
  const before = new RefusedBefore(options.now ?? (() => performance.now()))
  let refused = 0

  return {
    async inTurn(reply, work, signal, job) {
      const { request } = reply
      const caller = callerOf(request)
      before.note(caller, routeOf(request), work)
      const place = admission.ask(caller, work)
      if (typeof place === 'number') {
        refused += 1
        reply.header('Retry-After', place)
        return fail('overloaded', TOO_MUCH)
      }
      const giveUp = () => place.leave(false)
      signal.addEventListener('abort', giveUp, { once: true })
      try {
        await unlessGone(place.turn, signal)
        const done = await job()
        place.leave(true)
        return done
      } finally {
        place.leave()
        signal.removeEventListener('abort', giveUp)
      }
    },

    refusedAtOnce(request) {
      const caller = callerOf(request)
      const work = before.expected(caller, routeOf(request))
      const seconds = work && admission.refused(caller, work)
      if (seconds !== undefined) refused += 1
      return seconds
    },

    hasWaiting: () => admission.hasWaiting,
    load: () => ({ ...admission.load(), refused }),
  }
}

function routeOf({ method, routeOptions }: FastifyRequest): string {
  return `${method} ${routeOptions.url}`
}
