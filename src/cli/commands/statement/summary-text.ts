import { NO_GATEWAY } from '../../../answers/statement/names.ts'
import { formatAmount, STORED_SCALE, scaledDecimal } from '../../../base/values/decimal.ts'
import { isList, isObject, type Json, type JsonObject } from '../../../base/values/json-writer.ts'
import { mainToken, networkIds, networks } from '../../../catalog/networks.ts'

type Members = Readonly<Record<string, Json>>

/** Symbols of tokens. */
const titles: Readonly<Record<string, string>> = {
  main: mainToken.symbol,
  ...Object.fromEntries(
    networkIds.flatMap((id): [string, string][] => [
      [id, networks[id].symbol],
      [`unknown-${id}`, `an unknown token of the ${networks[id].inText} network`],
    ]),
  ),
}

const titleOf = (token: Json | undefined) => titles[`${token}`] ?? `${token}`

const membersOf = (value: Json | undefined): Members => (isObject(value) ? value : {})
const list = (value: Json | undefined) => (isList(value) ? value.map(membersOf) : [])
const texts = (value: Json | undefined) => (isList(value) ? value.map(String) : [])

/** Formats the summary: missing data, earnings, totals to compare with, files, snapshot and digest. */
export function summaryText(summary: JsonObject): string {
  const { account_address: account, accounts } = membersOf(summary.l1)
  const whose = summary.owner === undefined ? 'given keys' : `owner ${summary.owner}`
  const isOther = typeof account === 'string' && account !== summary.owner
  return [
    `Statement of ${whose}${isOther ? ` (L1: ${account})` : ''}, ${summary.from} to ${summary.to} (${summary.tz})`,
    '',
    ...missingLines(membersOf(summary.missing), list(accounts)),
    '',
    ...list(summary.tokens).flatMap(tokenLines),
    ...dollarLines(list(summary.tokens)),
    ...list(summary.totals).flatMap(totalsLines),
    ...ledgerLines(membersOf(summary.l1)),
    'Hotspots',
    ...(list(summary.hotspots).length === 0 ? ['  none'] : []),
    ...list(summary.hotspots).map(
      (one) =>
        `  ${one.hotspot_key} ${one.hotspot_name ?? '(no name)'}: ${rewards(one.rows)}, ${one.from} to ${one.to}`,
    ),
    '',
    'Files',
    ...list(summary.files).map(
      ({ name, rows, bytes, sha256 }) => `  ${name}: ${rows} rows, ${bytes} bytes, SHA-256 ${sha256}`,
    ),
    '',
    ...texts(summary.notes),
    '',
    `Snapshot ${summary.snapshot}; the same request with --as-of ${summary.snapshot} gives the same bytes while its files are kept.`,
    `Digest ${summary.digest}`,
    '',
  ].join('\n')
}

function missingLines(missing: Members, accounts: readonly Members[]): readonly string[] {
  const days = ({ first, last }: Members) => (first === last ? `${first}` : `${first} to ${last}`)
  const lines = [
    ...list(missing.days).map((run) => `  ${run.network}: no rewards of anybody are in for ${days(run)}`),
    ...list(missing.files).map(
      (run) => `  ${run.network}: a file that a manifest names is not in for ${days(run)}`,
    ),
    ...list(missing.manifests).map(
      (run) =>
        `  ${run.network}: no manifest for files of ${days(run)}, so their token and price are unknown`,
    ),
    ...list(missing.prices).map((run) => `  ${titleOf(run.token)}: no price for ${days(run)}`),
    ...texts(missing.unknown_keys).map((key) => `  ${key}: no table has this key or name`),
    ...accounts
      .filter((one) => one.is_stated === false)
      .map(
        (one) => `  l1: not stated, since paid to account ${accountOf(one)} for its hotspots: ${paid(one)}`,
      ),
    ...(missing.l1_rewards === true ? ['  l1: the lake holds no rewards of L1'] : []),
  ]
  return lines.length === 0 ? ['Nothing is missing.'] : ['MISSING', ...lines]
}

function tokenLines(token: Members): readonly string[] {
  const title = titleOf(token.token)
  return [
    `Earned in ${title} (rewards-${token.token}.csv)`,
    ...list(token.months).map((month) => `  ${month.month}  ${sumText(month, title)}`),
    `  in all   ${sumText(token, title)}`,
    '',
  ]
}

/** Sums up dollars; amounts of different tokens are never added. */
function dollarLines(tokens: readonly Members[]): readonly string[] {
  if (tokens.length < 2) return []
  const usd = tokens.reduce((sum, { usd_of_priced: own }) => sum + scaledDecimal(`${own}`), 0n)
  const rest = tokens.some((token) => token.usd === null) ? ', and what has no price' : ''
  return [`All tokens: ${formatAmount(usd, STORED_SCALE)} USD${rest}`, '']
}

function sumText(sum: Members, title: string): string {
  const { earned, formatted_earned: tokens, usd, usd_of_priced: priced, rows } = sum
  const rest = sum.earned_without_price
  const amount = tokens === null ? `${earned} bones` : `${tokens} ${title} (${earned} bones)`
  const unpriced = `USD unknown for ${rest} bones without a price`
  const dollars = usd === null ? `${priced} USD and ${unpriced}` : `${usd} USD (oracle price)`
  return `${amount}, ${rest === earned && usd === null ? 'USD unknown: no price' : dollars}, ${rewards(rows)}`
}

const rewards = (rows: Json | undefined) => `${rows} ${rows === 1 ? 'reward' : 'rewards'}`

const accountOf = (one: Members) => one.account_address ?? '(none)'

const paid = (one: Members) => `${one.formatted_earned} HNT (${one.earned} bones), ${rewards(one.rows)}`

/** Lists the accounts paid by L1, and payments for gateways that are no hotspots of the statement. */
function ledgerLines({ accounts, other_gateways: gateways }: Members): readonly string[] {
  const nameOf = ({ gateway_address: gateway, hotspot_name: name }: Members) =>
    gateway === NO_GATEWAY ? 'no gateway' : `${gateway} ${name ?? '(no name)'}, none of its hotspots`
  const lines = [
    ...list(accounts)
      .filter((one) => one.is_stated)
      .map((one) => `  to account ${accountOf(one)}: ${paid(one)}`),
    ...list(gateways).map((one) => `  of it for ${nameOf(one)}: ${paid(one)}`),
  ]
  return lines.length === 0 ? [] : ['Paid by L1', ...lines, '']
}

function totalsLines(tie: Members): readonly string[] {
  const sums = (members: Json | undefined, sign: string) =>
    Object.entries(membersOf(members)).map(
      ([name, sum]) => `  ${sign} ${name} ${sum}${name.endsWith('_bytes') ? ' bytes, no pay' : ''}`,
    )
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
    '',
  ]
}
