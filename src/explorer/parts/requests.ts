import { knownKey } from '../ask/keys.ts'
import { h, quiet } from './h.ts'

/** Links to the requests behind the figures. */
export function requests(...addresses: readonly string[]): HTMLElement {
  const link = (address: string) =>
    h('li', h('a', { href: address, 'data-plain': true }, h('code', `GET ${address}`)))
  return h(
    'details.requests',
    h('summary', addresses.length === 1 ? 'The request behind this' : 'The requests behind this'),
    h('ul', addresses.map(link)),
    knownKey() === null ? undefined : quiet('Send your key with it: Authorization: Bearer <key>.'),
  )
}
