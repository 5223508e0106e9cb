import type { FastifyRequest } from 'fastify'

/** How the lines about a table are written: by members of the protocol, or around the actions of the Delta log. */
export type ResponseFormat = 'parquet' | 'delta'

export const CAPABILITIES = 'Delta-Sharing-Capabilities'

/**
 * The format of a reply: the delta format for those alone who accept no other, since every client reads the parquet format and no table of
 * this program needs more. Source: the protocol, "responseFormat".
 */
export function responseFormatFor({ headers }: FastifyRequest): ResponseFormat {
  const asked = String(headers[CAPABILITIES.toLowerCase()] ?? '')
  const capabilities = asked.split(';').map((one) => one.trim().toLowerCase().split('='))
  const formats = capabilities.find(([name]) => name === 'responseformat')?.[1] ?? ''
  const accepted = formats.split(',').map((one) => one.trim())
  return accepted.includes('delta') && !accepted.includes('parquet') ? 'delta' : 'parquet'
}
