import { isMembers } from '../../lake/log/log-actions.ts'

/**
 * Statuses after which the same request may succeed later; all others are final. Sources: RFC 9110 section 15, RFC
 * 6585, RFC 8470. Proxies in front of a store send 509 and 520 and above.
 */
const passingStatuses: ReadonlySet<number> = new Set([
  ...[408, 425, 429, 500, 502, 503, 504],
  ...[509, 520, 521, 522, 523, 524, 529],
])

export function isPassingStatus(status: number): boolean {
  return passingStatuses.has(status)
}

/** Final errors of Node by code: an untrusted certificate, no TLS, or an invalid request. */
const FINAL_CODE = /CERT|SIGNATURE|^EPROTO$|^ERR_(INVALID|TLS|UNESCAPED)/

/** Returns true if a request without a reply may succeed later. fetch has the connection error as cause. */
export function isPassingError(error: unknown): boolean {
  if (!isMembers(error)) return true
  const { code, cause } = error
  if (typeof code === 'string' && FINAL_CODE.test(code)) return false
  return cause === undefined || isPassingError(cause)
}
