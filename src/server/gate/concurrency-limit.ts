import type { FastifyReply } from 'fastify'
import { fail } from '../../errors.ts'
import { whenOver } from '../request-signal.ts'

/** Limits how many requests are answered at once; one ends when its reply is sent or its caller has disconnected. */
export function limitConcurrency(most: number, what = 'requests'): (reply: FastifyReply) => void {
  let taken = 0
  return (reply) => {
    if (taken >= most) {
      fail('overloaded', `${most} ${what} are being answered already; ask again in a moment.`)
    }
    taken += 1
    whenOver(reply, () => {
      taken -= 1
    })
  }
}
