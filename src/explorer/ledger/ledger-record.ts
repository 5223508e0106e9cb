import { codeElement, facts } from '../parts/facts.ts'
import { type Child, h } from '../parts/h.ts'
import { type PageKind, pagePath } from '../values/addresses.ts'
import { grouped, wholeTokens } from '../values/amounts.ts'
import type { Exact } from '../values/exact-json.ts'

export type LedgerRecord = Readonly<Record<string, Exact>>

/** Members that refer to a record with a page. */
const linked: Readonly<Record<string, PageKind>> = {
  account_address: 'account',
  owner_address: 'account',
  payer_address: 'account',
  gateway_address: 'gateway',
  transaction_hash: 'transaction',
}

/** Members with amounts in bones, and their token. */
const inTokens: Readonly<Record<string, string>> = {
  amount: 'HNT',
  balance: 'HNT',
  staked_balance: 'HNT',
  mobile_balance: 'MOBILE',
  iot_balance: 'IOT',
}

/** Roles that only hotspots have. */
const gatewayRoles = new Set([
  'challengee',
  'challenger',
  'witness',
  'gateway',
  'reward_gateway',
  'validator',
  'packet_receiver',
])

/** Formats a member: as a link, in whole tokens, as a time, or unchanged. `keyText` writes keys. */
export function memberValue(
  name: string,
  value: Exact,
  base: string,
  record: LedgerRecord,
  keyText: (key: string) => HTMLElement = codeElement,
): Child {
  if (value === null) return '–'
  if (typeof value === 'object') return h('pre', { tabindex: '0' }, JSON.stringify(value, null, 1))
  const text = String(value)
  const kind = kindOf(name, record)
  if (kind !== undefined) return h('a', { href: base + pagePath(kind, text) }, keyText(text))
  const token = inTokens[name]
  // All tokens of the ledger have eight decimals.
  if (token !== undefined) return `${grouped(wholeTokens(text, 'main'))} ${token}`
  if (name === 'time')
    return `${new Date(Number(text) * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`
  return /(^id|address|hash|hex)$/.test(name) ? keyText(text) : text
}

function kindOf(name: string, record: LedgerRecord): PageKind | undefined {
  if (name === 'actor_address') return gatewayRoles.has(String(record.actor_role)) ? 'gateway' : 'account'
  if (name === 'address' && 'mode' in record) return 'gateway'
  return linked[name]
}

/** The members of a record as a list of facts. */
export function recordFacts(record: LedgerRecord, base: string): HTMLElement {
  return facts(
    Object.entries(record).map(([name, value]) => [
      name.replaceAll('_', ' '),
      memberValue(name, value, base, record),
    ]),
  )
}
