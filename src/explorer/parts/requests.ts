import { knownKey } from '../ask/keys.ts'
import { h, quiet } from './h.ts'

/** Links to the requests behind the figures; a query of GraphQL opens on its page. */
export function requests(...addresses: readonly string[]): HTMLElement {
  const links = [...new Set(addresses)].map((address) => {
    const text = address.includes('/graphql#') ? 'GraphQL: open the query' : h('code', `GET ${address}`)
    return h('li', h('a', { href: address, 'data-plain': true }, text))
  })
  return h(
    'details.requests',
    h('summary', links.length === 1 ? 'The request behind this' : 'The requests behind this'),
    h('ul', links),
    knownKey() === null ? undefined : quiet('Send your key with it: Authorization: Bearer <key>.'),
  )
}
