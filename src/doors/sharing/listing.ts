import { fail } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'

type Query = Readonly<Record<string, unknown>>

/** Returns one page of a list and the token of the next. Errors: `malformed_request`. */
export function listPage(items: readonly JsonObject[], { maxResults, pageToken }: Query): JsonObject {
  const first = readPageToken(pageToken, items.length)
  const most = readMaxResults(maxResults)
  const end = Math.min(items.length, first + most)
  const page = items.slice(first, end)
  return end < items.length ? { items: page, nextPageToken: tokenOf(end) } : { items: page }
}

/** The token is an offset: lists never shrink. */
const tokenOf = (offset: number) => Buffer.from(`from ${offset}`).toString('base64url')

function readPageToken(token: unknown, length: number): number {
  if (token === undefined || token === '') return 0
  const text = typeof token === 'string' ? Buffer.from(token, 'base64url').toString() : ''
  const offset = Number(/^from (\d{1,9})$/.exec(text)?.[1] ?? Number.NaN)
  if (offset <= length) return offset
  return fail(
    'malformed_request',
    `pageToken is ${quoted(String(token))}; use the nextPageToken of an earlier reply.`,
  )
}

function readMaxResults(value: unknown): number {
  if (value === undefined || value === '') return Number.MAX_SAFE_INTEGER
  if (typeof value === 'string' && /^\d{1,10}$/.test(value) && Number(value) < 2 ** 31) return Number(value)
  return fail('malformed_request', `maxResults is ${quoted(String(value))}; use a whole number from 0.`)
}
