import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../errors.ts'
import { unlessGone } from '../concurrency/shared-work.ts'
import type { BacklogLoad } from '../measures/measure.ts'
import { Admission, type AdmissionOptions } from './admission.ts'
import type { Work } from './costs.ts'

/** The queue of all work that requests have to wait for. */
export interface WorkQueue {
  /** Does work when it is its turn, which ends with the signal at the latest. Errors: `overloaded`, at once, where it would have to wait too long. */
  inTurn<T>(reply: FastifyReply, work: Work, signal: AbortSignal, job: () => Promise<T>): Promise<T>
  /**
   * After how many seconds a request should come again, if its caller would be refused with what was refused last on its route;
   * otherwise undefined. It costs next to nothing, so nothing of the request has to be looked at.
   */
  refusedAtOnce(request: FastifyRequest): number | undefined
  load(): BacklogLoad
}

export const TOO_MUCH =
  'The server has as much to do as it can finish in time; ask again after the seconds of Retry-After.'

export function openWorkQueue(options: AdmissionOptions): WorkQueue {
  const admission = new Admission(options)
  const refusedLast = new Map<string, Work>()
  let refused = 0

  return {
    async inTurn(reply, work, signal, job) {
      const { request } = reply
      const place = admission.ask(callerOf(request), work)
      if (typeof place === 'number') {
        refused += 1
        refusedLast.set(routeOf(request), work)
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
        giveUp()
        signal.removeEventListener('abort', giveUp)
      }
    },

    refusedAtOnce(request) {
      const work = refusedLast.get(routeOf(request))
      const seconds = work && admission.refused(callerOf(request), work)
      if (seconds !== undefined) refused += 1
      return seconds
    },

    load: () => ({ ...admission.load(), refused }),
  }
}

/** Those who share one turn: the requests of a key, or of an address where no keys are needed. */
export function callerOf({ apiKey, ip }: FastifyRequest): string {
  return apiKey?.id ?? ip
}

function routeOf({ method, routeOptions }: FastifyRequest): string {
  return `${method} ${routeOptions.url}`
}
