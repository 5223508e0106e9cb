import type { FastifyRequest } from 'fastify'

/** True if lines have the members of the protocol, or actions of the Delta log. */
export type ResponseFormat = 'parquet' | 'delta'

export const CAPABILITIES = 'Delta-Sharing-Capabilities'

/**
 * Returns `delta` only for clients that accept nothing else: every client reads `parquet`, and no table here
 * needs more. Source: the protocol, "responseFormat".
 */
export function responseFormatFor({ headers }: FastifyRequest): ResponseFormat {
  const header = String(headers[CAPABILITIES.toLowerCase()] ?? '')
  const capabilities = header.split(';').map((one) => one.trim().toLowerCase().split('='))
  const formats = capabilities.find(([name]) => name === 'responseformat')?.[1] ?? ''
  const accepted = formats.split(',').map((one) => one.trim())
  return accepted.includes('delta') && !accepted.includes('parquet') ? 'delta' : 'parquet'
}
