import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../base/errors.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import type { BacklogLoad } from '../monitoring/measures/measure.ts'
import { Admission, type AdmissionOptions } from './admission.ts'
import { clientOf } from './client.ts'
import type { RequestWork } from './costs.ts'
import { RecentWork } from './recent-work.ts'

/** Queues the work of requests by client and cost. */
export interface WorkQueue {
  /** Runs the job when it is its turn. Throws without waiting if the estimated wait is too long. Errors: `overloaded`; the reason of the signal. */
  inTurn<T>(reply: FastifyReply, work: RequestWork, signal: AbortSignal, job: () => Promise<T>): Promise<T>
  /** Does the same for a client without a request of HTTP. */
  inTurnOf<T>(client: string, work: RequestWork, signal: AbortSignal, job: () => Promise<T>): Promise<T>
  /** Returns the seconds of Retry-After if the queue would refuse the client's cheapest recent work on this route. Does not read the request. */
  retryAfter(request: FastifyRequest): number | undefined
  hasWaiting(): boolean
  load(): BacklogLoad
}

export const QUEUE_FULL =
  'The server has as much to do as it can finish in time; ask again after the seconds of Retry-After.'

export function openWorkQueue(options: AdmissionOptions): WorkQueue {
  const admission = new Admission(options)
  const recent = new RecentWork(options.now ?? (() => performance.now()))
  let refused = 0

  /** `onRefusal` gets the seconds of Retry-After. */
  async function run<T>(
    client: string,
    work: RequestWork,
    signal: AbortSignal,
    job: () => Promise<T>,
    onRefusal: (seconds: number) => void,
  ): Promise<T> {
    const ticket = admission.admit(client, work)
    if (typeof ticket === 'number') {
      refused += 1
      onRefusal(ticket)
      return fail('overloaded', QUEUE_FULL)
    }
    const cancel = () => ticket.release(false)
    signal.addEventListener('abort', cancel, { once: true })
    try {
      await unlessGone(ticket.turn, signal)
      const result = await job()
      ticket.release(true)
      return result
    } finally {
      ticket.release()
      signal.removeEventListener('abort', cancel)
    }
  }

  return {
    async inTurn(reply, work, signal, job) {
      const { request } = reply
      const client = clientOf(request)
      recent.note(client, routeOf(request), work)
      return await run(client, work, signal, job, (seconds) => reply.header('Retry-After', seconds))
    },
    inTurnOf: (client, work, signal, job) => run(client, work, signal, job, () => {}),

    retryAfter(request) {
      const client = clientOf(request)
      const work = recent.expect(client, routeOf(request))
      const seconds = work && admission.retryAfter(client, work)
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
