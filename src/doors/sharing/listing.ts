import { fail } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'

type Query = Readonly<Record<string, unknown>>

/** One page of a list, and the token of the next one. Errors: `malformed_request`. */
export function pageOf(items: readonly JsonObject[], { maxResults, pageToken }: Query): JsonObject {
  const first = firstOf(pageToken, items.length)
  const most = mostOf(maxResults)
  const end = Math.min(items.length, first + most)
  const page = items.slice(first, end)
  return end < items.length ? { items: page, nextPageToken: tokenOf(end) } : { items: page }
}

/** Tables are never fewer than before, and a page of another time is no danger: the token is a place. */
const tokenOf = (place: number) => Buffer.from(`from ${place}`).toString('base64url')

function firstOf(token: unknown, length: number): number {
  if (token === undefined || token === '') return 0
  const text = typeof token === 'string' ? Buffer.from(token, 'base64url').toString() : ''
  const place = Number(/^from (\d{1,9})$/.exec(text)?.[1] ?? Number.NaN)
  if (place <= length) return place
  return fail(
    'malformed_request',
    `pageToken is ${quoted(String(token))}; use the nextPageToken of an earlier reply.`,
  )
}

function mostOf(given: unknown): number {
  if (given === undefined || given === '') return Number.MAX_SAFE_INTEGER
  if (typeof given === 'string' && /^\d{1,10}$/.test(given) && Number(given) < 2 ** 31) return Number(given)
  return fail('malformed_request', `maxResults is ${quoted(String(given))}; use a whole number from 0.`)
}
