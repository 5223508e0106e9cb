import type { FastifyReply } from 'fastify'
import { fail } from '../../base/errors.ts'
import { onClose } from '../http/request-signal.ts'
import type { LimitLoad } from '../monitoring/measures/measure.ts'

interface Limit {
  /** Takes a slot until the response is sent or the client disconnects. Errors: `overloaded`. */
  readonly enter: (reply: FastifyReply, client: string) => void
  /** Throws if `enter` would, without taking a slot. Errors: `overloaded`. */
  readonly requireSlot: (client: string) => void
  readonly load: () => LimitLoad
}

/** One slot in so many is reserved for clients without a slot. */
const RESERVED_SHARE = 8

export function limitConcurrency(most: number, what = 'requests'): Limit {
  let running = 0
  let refused = 0
  const reserved = Math.floor(most / RESERVED_SHARE)
  const runningOf = new Map<string, number>()
  const requireSlot = (client: string) => {
    if (running < (runningOf.has(client) ? most - reserved : most)) return
    refused += 1
    fail('overloaded', `${most} ${what} are being answered already; ask again in a moment.`)
  }
  const enter = (reply: FastifyReply, client: string) => {
    requireSlot(client)
    running += 1
    runningOf.set(client, (runningOf.get(client) ?? 0) + 1)
    onClose(reply, () => {
      running -= 1
      const remaining = (runningOf.get(client) ?? 0) - 1
      if (remaining > 0) runningOf.set(client, remaining)
      else runningOf.delete(client)
    })
  }
  return { enter, requireSlot, load: () => ({ most, running, refused }) }
}
