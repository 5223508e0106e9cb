import { Readable } from 'node:stream'
import { StoreFault } from '../object-store/object-store.ts'
import { isPassingError } from '../object-store/passing-faults.ts'
import { isPrivateAddress } from './private-address.ts'

const MOST_REDIRECTS = 5

/**
 * Sends a request and follows redirects. `mayHaveKey` is true for the origin of the address over a private
 * connection.
 * Errors: `StoreFault`, those of `send`.
 */
export async function followRedirects<T>(
  address: URL,
  send: (at: URL, mayHaveKey: boolean) => Promise<T | URL>,
): Promise<T> {
  let at = address
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const reply = await send(at, at.origin === address.origin && isPrivateAddress(at))
    if (!(reply instanceof URL)) return reply
    at = reply
  }
  throw new StoreFault('refused', `${withoutQuery(address)} redirects more than ${MOST_REDIRECTS} times`)
}

/** Returns the target of a redirect, or undefined. Errors: `StoreFault`. */
export function redirectTarget({ status, headers }: Response, at: URL): URL | undefined {
  const location = headers.get('location')
  if (status < 300 || status >= 400 || location === null) return undefined
  const target = URL.canParse(location, at.href) ? new URL(location, at) : undefined
  if (target !== undefined && /^https?:$/.test(target.protocol)) return target
  throw new StoreFault('refused', `${withoutQuery(at)} redirects to an invalid address`)
}

/** Returns the address without its query, which may be secret. */
export function withoutQuery({ origin, pathname }: URL): string {
  return origin + pathname
}

/** Converts an error of fetch, or of a body. */
export function faultOfFetch(error: unknown, at: URL, reason = fetchErrorReason(error)): StoreFault {
  if (error instanceof StoreFault) return error
  const kind = isPassingError(error) ? 'passing' : 'refused'
  return new StoreFault(kind, `${withoutQuery(at)} cannot be read: ${reason}`, error)
}

/** Returns the reason of a failed fetch, which is in the cause of its error. */
function fetchErrorReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message || error.message : error.message
}

/** Returns the body of a response in chunks; empty if it has none. */
export function chunksOf({ body }: Response): AsyncIterable<Uint8Array> {
  return (body ?? Readable.from([])) as AsyncIterable<Uint8Array>
}
