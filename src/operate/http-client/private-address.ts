import { fail } from '../../base/errors.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Returns true for HTTPS and loopback addresses. */
export function isPrivateAddress({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || LOOPBACK.test(hostname)
}

/** Errors: `malformed_request` for a key that no header can have, or that would be sent unencrypted. */
export function checkKey(key: string, address: string): void {
  if (key === '') return
  if (!/^[!-~]+$/.test(key))
    fail('malformed_request', 'LEDGERLAKE_SYNC_KEY has other characters than printable ASCII without blanks.')
  if (!isPrivateAddress(new URL(address)))
    fail(
      'malformed_request',
      `LEDGERLAKE_SYNC_KEY is set and --url is ${address}; a key is sent over https alone, or to this machine.`,
    )
}
