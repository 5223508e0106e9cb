import { formatAmount } from '../../../base/values/decimal.ts'
import type { Json, JsonObject } from '../../../base/values/json-writer.ts'
import { networkIds, networks } from '../../../catalog/networks.ts'
import { list, type Members, membersOf } from './members.ts'

/** Texts of tokens that have no symbol. */
const titles: Readonly<Record<string, string>> = Object.fromEntries(
  networkIds.map((id) => [`unknown-${id}`, `an unknown token of the ${networks[id].inText} network`]),
)

export const titleOf = (token: Json | undefined) => titles[`${token}`] ?? `${token}`

export const daysOf = ({ first, last }: Members) => (first === last ? `${first}` : `${first} to ${last}`)

/** Formats the earnings of a token, by month and in all; `currency` is that of own prices. */
export function tokenLines(token: Members, currency: Json | undefined): readonly string[] {
  return [
    `Earned in ${titleOf(token.token)} (rewards-${`${token.token}`.toLowerCase()}.csv)`,
    ...list(token.months).map((month) => `  ${month.month}  ${sumText(month, token, currency)}`),
    `  in all   ${sumText(token, token, currency)}`,
    '',
  ]
}

/** Formats the money of all tokens, and the days without a price. */
export function moneyLines({ all_tokens: all, missing, prices }: JsonObject): readonly string[] {
  const { rows, usd_of_priced: usd, value_of_priced: value } = membersOf(all)
  if (rows === 0) return []
  const { currency, source, missing: unvalued } = membersOf(prices)
  const own =
    currency === undefined ? [] : sumLines(`${value} ${currency} (${source})`, currency, list(unvalued))
  return [...sumLines(`${usd} USD`, 'USD', list(membersOf(missing).prices)), ...own, '']
}

function sumLines(sum: string, currency: Json, unpriced: readonly Members[]): readonly string[] {
  const days = unpriced.map(
    (run) => `  ${currency} unknown: no price for ${daysOf(run)} (${titleOf(run.token)})`,
  )
  return [`All tokens: ${sum}`, ...days]
}

function sumText(sum: Members, { token, decimals }: Members, currency: Json | undefined): string {
  const { earned, formatted_earned: formatted, usd, value } = sum
  const amount = (tokens: Json | undefined) => `${tokens} ${titleOf(token)}`
  const earnedText = formatted === null ? `${earned} bones` : `${amount(formatted)} (${earned} bones)`
  const dollars = money('USD', usd, sum.usd_of_priced, sum.earned_without_price, ' (oracle price)')
  const own =
    currency === undefined
      ? []
      : [money(`${currency}`, value, sum.value_of_priced, sum.earned_without_value, ' (own prices)')]
  return [earnedText, dollars, ...own, rewards(sum.rows)].join(', ')

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
