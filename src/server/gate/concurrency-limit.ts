import type { FastifyReply } from 'fastify'
import { fail } from '../../errors.ts'
import { whenOver } from '../when-over.ts'

/** So many requests may be under way at once; a place is free again when its reply is sent or its caller gone. */
export function limitConcurrency(most: number): (reply: FastifyReply) => void {
  let taken = 0
  return (reply) => {
    if (taken >= most) {
      fail('overloaded', `${most} requests are being answered already; ask again in a moment.`)
    }
    taken += 1
    whenOver(reply, () => {
      taken -= 1
    })
  }
}
