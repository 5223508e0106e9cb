import { NO_GATEWAY } from '../../../answers/statement/names.ts'
import { listWords } from '../../../base/list-words.ts'
import { type Json, type JsonObject, membersOf } from '../../../base/values/json-writer.ts'
import { objectsIn, textsIn } from './json-lists.ts'
import { dayText, moneyLines, rewards, titleOf, tokenLines } from './money-text.ts'

/** Formats the summary: missing data, earnings, totals to compare with, files, snapshot and digest. */
export function summaryText(summary: JsonObject): string {
  return [
    titleLine(summary),
    ...priceLines(membersOf(summary.prices)),
    '',
    ...missingLines(summary),
    '',
    ...objectsIn(summary.tokens).flatMap((token) => tokenLines(token, membersOf(summary.prices).currency)),
    ...moneyLines(summary),
    ...objectsIn(summary.totals).flatMap(totalsLines),
    ...ledgerLines(membersOf(summary.l1)),
    'Hotspots',
    ...(objectsIn(summary.hotspots).length === 0 ? ['  none'] : []),
    ...objectsIn(summary.hotspots).map(
      (one) =>
        `  ${shortKey(one.hotspot_key)} ${one.hotspot_name ?? '(no name)'}: ${rewards(one.rows)}, ${one.from} to ${one.to}`,
    ),
    '',
    'Files',
    ...objectsIn(summary.files).map(
      ({ name, rows, bytes, sha256 }) => `  ${name}: ${rows} rows, ${bytes} bytes, SHA-256 ${sha256}`,
    ),
    '',
    ...textsIn(summary.notes),
    '',
    `Snapshot ${summary.snapshot}`,
    `Digest ${summary.digest}`,
    '',
  ].join('\n')
}

/** Names the owner or keys, and the days. */
export function titleLine({ owners, from, to, tz }: JsonObject): string {
  const wallets = objectsIn(owners).map(({ owner, account_address: account }) =>
    account === owner ? `${owner}` : `${owner} (L1: ${account})`,
  )
  const whose =
    wallets.length === 0
      ? 'given keys'
      : `${wallets.length === 1 ? 'owner' : 'owners'} ${listWords(wallets, 'and')}`
  return `Statement of ${whose}, ${from} to ${to} (${tz})`
}

/** Names the source of own prices. */
export const priceLines = ({ currency, source, lines, sha256 }: JsonObject) =>
  currency === undefined ? [] : [`Prices in ${currency}: ${source}, ${lines} lines, SHA-256 ${sha256}`]

/** Lists what is missing, under a heading. */
export function missingLines({ missing: gaps, l1, prices }: JsonObject): readonly string[] {
  const missing = membersOf(gaps)
  const accounts = objectsIn(membersOf(l1).accounts)
  const { currency, source, missing: unvalued } = membersOf(prices)
  const lines = [
    ...objectsIn(missing.days).map(
      (run) => `  ${run.network}: no rewards of anybody are in for ${dayText(run)}`,
    ),
    ...objectsIn(missing.files).map(
      (run) => `  ${run.network}: a file that a manifest names is not in for ${dayText(run)}`,
    ),
    ...objectsIn(missing.manifests).map(
      (run) =>
        `  ${run.network}: no manifest for files of ${dayText(run)}, so their token and price are unknown`,
    ),
    ...objectsIn(missing.prices).map((run) => `  ${titleOf(run.token)}: no price for ${dayText(run)}`),
    ...objectsIn(unvalued).map(
      (run) => `  ${titleOf(run.token)}: no price in ${currency} for ${dayText(run)} in ${source}`,
    ),
    ...textsIn(missing.unknown_keys).map((key) => `  ${shortKey(key)}: no table has this key or name`),
    ...accounts
      .filter((one) => one.is_stated === false)
      .map(
        (one) => `  l1: not stated, since paid to account ${accountOf(one)} for its hotspots: ${paid(one)}`,
      ),
    ...(missing.l1_rewards === true ? ['  l1: the lake holds no rewards of L1'] : []),
  ]
  return lines.length === 0 ? ['Nothing is missing.'] : ['MISSING', ...lines]
}

const accountOf = (one: JsonObject) =>
  one.account_address === null ? '(none)' : shortKey(one.account_address)

const paid = (one: JsonObject) => `${one.formatted_earned} HNT (${one.earned} bones), ${rewards(one.rows)}`

/** Lists the accounts paid by L1, and payments for gateways that are no hotspots of the statement. */
function ledgerLines({ accounts, other_gateways: gateways }: JsonObject): readonly string[] {
  const nameOf = ({ gateway_address: gateway, hotspot_name: name }: JsonObject) =>
    gateway === NO_GATEWAY
      ? 'no gateway'
      : `${shortKey(gateway)} ${name ?? '(no name)'}, none of its hotspots`
  const lines = [
    ...objectsIn(accounts)
      .filter((one) => one.is_stated)
      .map((one) => `  to account ${accountOf(one)}: ${paid(one)}`),
    ...objectsIn(gateways).map((one) => `  of it for ${nameOf(one)}: ${paid(one)}`),
  ]
  return lines.length === 0 ? [] : ['Paid by L1', ...lines, '']
}

function totalsLines(tie: JsonObject): readonly string[] {
  const named = (members: Json | undefined) => Object.entries(membersOf(members))
  const isPay = ([name]: readonly [string, Json]) => !name.endsWith('_bytes')
  const sums = (members: Json | undefined, sign: string) =>
    named(members)
      .filter(isPay)
      .map(([name, sum]) => `  ${sign} ${name} ${sum}`)
  const bytes = named(tie.totals).filter((sum) => !isPay(sum))
  const { account_address: account, hotspots } = tie
  const range = `from=${tie.from}&to=${tie.to}`
  const by = account === null ? 'gateway_address=KEY' : `account_address=${account}`
  const query = tie.network === 'l1' ? `interval=all&${range}&${by}` : range
  const each = account === null ? ` for each of ${hotspots} hotspots` : ''
  return [
    `Ties out with GET ${tie.path}?${query}${each}`,
    ...sums(tie.totals, ' '),
    ...sums(tie.left_out, '+'),
    ...(tie.only_in_totals === '0' ? [] : [`  - of days outside the statement ${tie.only_in_totals}`]),
    ...(tie.only_here === '0' ? [] : [`  + of epochs that end outside that range ${tie.only_here}`]),
    `  = earned ${tie.earned}`,
    ...bytes.map(([name, sum]) => `  not pay: ${name} ${sum} bytes`),
    '',
  ]
}

const LONGEST_KEY = 60

/** Shortens a long key, such as that of a hotspot with an RSA key; `summary.json` and the CSV have it whole. */
const shortKey = (key: Json | undefined) =>
  `${key}`.length > LONGEST_KEY ? `${`${key}`.slice(0, 20)}…${`${key}`.slice(-20)}` : `${key}`
