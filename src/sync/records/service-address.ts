import { fail } from '../../errors.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Whether what is sent there can be read on the way by nobody else. */
export function isPrivate({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || LOOPBACK.test(hostname)
}

/**
 * The address of a service up to the name of its network, from what a user gives: an address without a path, or one that
 * ends in `/v1`, is that of the network `net`. Undefined for what is no such address.
 */
export function serviceAddress(text: string): string | undefined {
  if (!/^https?:\/\/[^\s?#@]+$/i.test(text) || !URL.canParse(text)) return undefined
  const { origin, pathname } = new URL(text)
  const path = pathname.replace(/\/+$/, '')
  if (path === '') return `${origin}/v1/net`
  return `${origin}${path}${path.endsWith('/v1') ? '/net' : ''}`
}

/** Errors: `malformed_request` for a key that cannot stand in a header, or would be sent in the clear. */
export function checkKey(key: string, address: string): void {
  if (key === '') return
  if (!/^[!-~]+$/.test(key))
    fail('malformed_request', 'LEDGERLAKE_SYNC_KEY has other characters than printable ASCII without blanks.')
  if (!isPrivate(new URL(address)))
    fail(
      'malformed_request',
      `LEDGERLAKE_SYNC_KEY is set and --url is ${address}; a key is sent over https alone, or to this machine.`,
    )
}
