import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../errors.ts'
import type { ApiKey } from '../../keys/api-key.ts'

const MINUTE_MS = 60_000

/**
 * Counts the requests of a key in minutes that begin with the first of them, and sends what is left in headers.
 * Errors: `rate_limit_exceeded`.
 */
export function rateLimiter(server: FastifyInstance) {
  server.register(rateLimit, { global: false })
  let count: ReturnType<FastifyInstance['createRateLimit']> | undefined

  return async (
    { ratePerMinute, name }: ApiKey,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> => {
    if (ratePerMinute === null) return
    count ??= server.createRateLimit({
      timeWindow: MINUTE_MS,
      max: ({ apiKey }) => apiKey?.ratePerMinute ?? 0,
      keyGenerator: ({ apiKey }) => apiKey?.id ?? '',
    })
    const counted = await count(request)
    if (!('remaining' in counted)) return
    reply.headers({
      'RateLimit-Limit': ratePerMinute,
      'RateLimit-Remaining': counted.remaining,
      'RateLimit-Reset': counted.ttlInSeconds,
    })
    if (!counted.isExceeded) return
    reply.header('Retry-After', counted.ttlInSeconds)
    const more = `there are more in ${counted.ttlInSeconds} s`
    fail('rate_limit_exceeded', `The key ${name} may ask ${ratePerMinute} times a minute; ${more}.`)
  }
}
