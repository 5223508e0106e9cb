import { isPrivateAddress } from './private-address.ts'
import { ServiceFault } from './service-fault.ts'

const MOST_REDIRECTS = 5

/**
 * Asks an address, and then where its replies lead. `mayHaveKey`: the origin is that of the address, and nobody else can read what is
 * sent there. Errors: `ServiceFault`, those of `send`.
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
  throw new ServiceFault('refused', `${withoutQuery(address)} redirects more than ${MOST_REDIRECTS} times`)
}

/** Where a reply leads; undefined where it is none that redirects. Errors: `ServiceFault`. */
export function redirectTarget({ status, headers }: Response, at: URL): URL | undefined {
  const location = headers.get('location')
  if (status < 300 || status >= 400 || location === null) return undefined
  const target = URL.canParse(location, at.href) ? new URL(location, at) : undefined
  if (target !== undefined && /^https?:$/.test(target.protocol)) return target
  throw new ServiceFault('refused', `${withoutQuery(at)} redirects to what is no address`)
}

/** An address without its parameters, which may be secret. */
export function withoutQuery({ origin, pathname }: URL): string {
  return origin + pathname
}

/** fetch says what is wrong in the cause of its error. */
export function fetchErrorReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message || error.message : error.message
}
