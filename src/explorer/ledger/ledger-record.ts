import { codeElement, facts, shortKey } from '../parts/facts.ts'
import { type Child, h } from '../parts/h.ts'
import { type PageKind, pagePath } from '../values/addresses.ts'
import { grouped, wholeTokens } from '../values/amounts.ts'
import { dayText } from '../values/days.ts'
import type { Exact } from '../values/exact-json.ts'
import { words } from '../values/words.ts'
import { labelGroups, labelOf, nameText } from './labels.ts'

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
  security_balance: 'HST',
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

/** Members with names of the chain. */
const named = new Set(['type', 'actor_role', 'mode'])

/** Returns whether a member says nothing. Zero is a value. */
const isEmpty = (value: Exact) =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)

/** Formats a member: as a link, in whole tokens, as a time, or in words. `keyText` writes keys. */
export function memberValue(
  name: string,
  value: Exact,
  base: string,
  record: LedgerRecord,
  keyText: (key: string) => HTMLElement = codeElement,
): Child {
  if (value === null || isEmpty(value)) return '–'
  if (name === 'witnesses') return witnessesText(value)
  if (typeof value === 'object') return h('pre', { tabindex: '0' }, JSON.stringify(value, null, 1))
  const text = String(value)
  const kind = kindOf(name, record)
  if (kind !== undefined) return h('a', { href: base + pagePath(kind, text) }, shortKey(text))
  const token = inTokens[name]
  // All tokens of the ledger have eight decimals.
  if (token !== undefined) return `${grouped(wholeTokens(text, 'main'))} ${token}`
  if (name === 'time') return timeText(new Date(Number(text) * 1000))
  if (name === 'first_timestamp') return timeText(new Date(text))
  if (name === 'elevation') return `${grouped(text)} m`
  if (name === 'gain') return `${Number(text) / 10} dBi`
  if (name === 'name') return nameText(text)
  if (named.has(name)) return h('span', { title: text }, words(text))
  if (/(^id|address|hash|hex|location)$/.test(name)) return keyText(text)
  return /^\d{4,}$/.test(text) ? grouped(text) : text
}

function timeText(time: Date): string {
  const text = time.toISOString()
  return `${dayText(text.slice(0, 10))}, ${text.slice(11, 16)} UTC`
}

function witnessesText(value: Exact): string {
  const count = value !== null && typeof value === 'object' ? Object.keys(value).length : 0
  return `${grouped(String(count))} ${count === 1 ? 'gateway' : 'gateways'}`
}

function kindOf(name: string, record: LedgerRecord): PageKind | undefined {
  if (name === 'actor_address') return gatewayRoles.has(String(record.actor_role)) ? 'gateway' : 'account'
  if (name === 'address' && 'mode' in record) return 'gateway'
  return linked[name]
}

/** The members of a record as lists of facts, without empty ones; those for programs are folded. */
export function recordFacts(record: LedgerRecord, base: string): Child {
  const rowOf = (name: string) =>
    [labelOf(name), memberValue(name, record[name] ?? null, base, record)] as const
  const labelled = new Set(Object.values(labelGroups).flatMap((group) => Object.keys(group)))
  const unlabelled = Object.keys(record).filter((name) => !labelled.has(name))
  return Object.entries(labelGroups).map(([title, group], place, { length }) => {
    const isLast = place === length - 1
    const names = [...Object.keys(group), ...(isLast ? unlabelled : [])]
    const rows = names.filter((name) => !isEmpty(record[name] ?? null)).map(rowOf)
    if (rows.length === 0) return undefined
    if (isLast) return h('details', h('summary', title), facts(rows))
    return place === 0 ? facts(rows) : [h('h3', title), facts(rows)]
  })
}
