import { formatAmount } from '../../../base/values/decimal.ts'
import { type Json, type JsonObject, membersOf } from '../../../base/values/json-writer.ts'
import { networkIds, networks } from '../../../catalog/networks.ts'
import { objectsIn } from './json-lists.ts'

/** Texts of tokens that have no symbol. */
const titles: Readonly<Record<string, string>> = Object.fromEntries(
  networkIds.map((id) => [`unknown-${id}`, `an unknown token of the ${networks[id].inText} network`]),
)

export const titleOf = (token: Json | undefined) => titles[`${token}`] ?? `${token}`

export const dayText = ({ first, last }: JsonObject) => (first === last ? `${first}` : `${first} to ${last}`)

/** Formats the earnings of a token, by month and in all; `currency` is that of own prices. */
export function tokenLines(token: JsonObject, currency: Json | undefined): readonly string[] {
  return [
    `Earned in ${titleOf(token.token)} (rewards-${`${token.token}`.toLowerCase()}.csv)`,
    ...objectsIn(token.months).map((month) => `  ${month.month}  ${sumText(month, token, currency)}`),
    `  in all   ${sumText(token, token, currency)}`,
    '',
  ]
}

/** Formats the money of all tokens, and the days without a price. */
export function moneyLines({ all_tokens: all, missing, prices }: JsonObject): readonly string[] {
  const { rows, usd_of_priced: usd, value_of_priced: value } = membersOf(all)
  if (rows === 0) return []
  const { currency, source, missing: unvalued } = membersOf(prices)
  const valued =
    currency === undefined ? [] : sumLines(`${value} ${currency} (${source})`, currency, objectsIn(unvalued))
  return [...sumLines(`${usd} USD`, 'USD', objectsIn(membersOf(missing).prices)), ...valued, '']
}

function sumLines(sum: string, currency: Json, unpriced: readonly JsonObject[]): readonly string[] {
  const days = unpriced.map(
    (run) => `  ${currency} unknown: no price for ${dayText(run)} (${titleOf(run.token)})`,
  )
  return [`All tokens: ${sum}`, ...days]
}

function sumText(sum: JsonObject, { token, decimals }: JsonObject, currency: Json | undefined): string {
  const { earned, formatted_earned: formatted, usd, value } = sum
  const amount = (tokens: Json | undefined) => `${tokens} ${titleOf(token)}`
  const earnedText = formatted === null ? `${earned} bones` : `${amount(formatted)} (${earned} bones)`
  const dollars = money('USD', usd, sum.usd_of_priced, sum.earned_without_price, ' (oracle price)')
  const valued =
    currency === undefined
      ? []
      : [money(`${currency}`, value, sum.value_of_priced, sum.earned_without_value, ' (own prices)')]
  return [earnedText, dollars, ...valued, rewards(sum.rows)].join(', ')

  function money(
    unit: string,
    whole: Json | undefined,
    priced: Json | undefined,
    rest: Json | undefined,
    by: string,
  ) {
    if (whole !== null) return `${whole} ${unit}${by}`
    if (rest === earned || typeof decimals !== 'number') return `${unit} unknown: no price`
    const without = amount(formatAmount(BigInt(`${rest}`), decimals))
    return `${priced} ${unit}, and ${unit} unknown for ${without} without a price`
  }
}

export const rewards = (rows: Json | undefined) => `${rows} ${rows === 1 ? 'reward' : 'rewards'}`
