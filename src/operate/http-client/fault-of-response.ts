import { isMembers } from '../../lake/log/log-actions.ts'
import { StoreFault } from '../object-store/object-store.ts'
import { isPassingStatus } from '../object-store/passing-faults.ts'

const SECOND_MS = 1000
const MOST_WORDS = 200

/** Meanings of a refusal for the client of a service. */
interface Meanings {
  readonly key: string
  readonly isKeySent: boolean
  /** For 403. */
  readonly forbidden: string
  /** For 404. */
  readonly missing: string
  /** For any other status. */
  readonly unexpected: string
}

/** Converts an unexpected status to a fault. Quotes the reply without the key. */
export function faultOfResponse(response: Response, body: Buffer, at: URL, meanings: Meanings): StoreFault {
  const { status } = response
  const waitMs = waitOf(response)
  const said = wordsOf(body, meanings.key)
  const subject = `${at.origin}${at.pathname} answers ${status}`
  const why = said === '' ? '' : `; it says: ${said}`
  if (isPassingStatus(status)) return new StoreFault('passing', subject + why, undefined, status, waitMs)
  if (status === 410 || (status === 422 && at.searchParams.has('as_of')))
    return new StoreFault('changed', subject + why, undefined, status)
  const sentence = `${subject}: ${meaningOf(status, meanings, waitMs)}${why}`
  return new StoreFault('refused', sentence, undefined, status)
}

function meaningOf(
  status: number,
  { key, isKeySent, forbidden, missing, unexpected }: Meanings,
  waitMs: number | undefined,
): string {
  if (status === 402) {
    const more = waitMs === undefined ? '' : `; there are more in ${Math.ceil(waitMs / SECOND_MS)} s`
    return `the key has used up its requests${more}, and what was fetched is kept until then`
  }
  if (status === 401 && key !== '' && !isKeySent)
    return 'it wants an API key, and LEDGERLAKE_SYNC_KEY is not sent where a redirect leads; give this address as --url'
  if (status === 401 && !isKeySent) return 'it wants an API key; set LEDGERLAKE_SYNC_KEY in the environment'
  if (status === 401) return 'it does not take the key in LEDGERLAKE_SYNC_KEY, or the key lacks a feature'
  if (status === 403) return forbidden
  return status === 404 ? missing : unexpected
}

/** Returns the wait in milliseconds. `Retry-After` has seconds or a date. */
function waitOf({ headers }: Response): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS
  const until = Date.parse(text)
  return Number.isNaN(until) ? undefined : Math.max(0, until - Date.now())
}

/** Returns the text of an error response: its `message` or `error`. */
function wordsOf(body: Buffer, key: string): string {
  let reply: unknown
  try {
    reply = JSON.parse(body.toString('utf8'))
  } catch {
    return ''
  }
  const said = isMembers(reply) ? (reply.message ?? reply.error) : undefined
  if (typeof said !== 'string') return ''
  return (key === '' ? said : said.replaceAll(key, '***')).slice(0, MOST_WORDS)
}
