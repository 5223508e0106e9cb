import type { FastifyReply } from 'fastify'
import { fail } from '../../errors.ts'
import type { LimitLoad } from '../measures/measure.ts'
import { whenOver } from '../request-signal.ts'

interface Limit {
  /** Counts a request in. Errors: `overloaded`. */
  readonly enter: (reply: FastifyReply) => void
  readonly load: () => LimitLoad
}

/** Limits how many requests are answered at once; one ends when its reply is sent or its caller has disconnected. */
export function limitConcurrency(most: number, what = 'requests'): Limit {
  let taken = 0
  let refused = 0
  const enter = (reply: FastifyReply) => {
    if (taken >= most) {
      refused += 1
      fail('overloaded', `${most} ${what} are being answered already; ask again in a moment.`)
    }
    taken += 1
    whenOver(reply, () => {
      taken -= 1
    })
  }
  return { enter, load: () => ({ most, running: taken, refused }) }
}
