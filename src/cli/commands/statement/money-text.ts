import { formatAmount } from '../../../base/values/decimal.ts'
import type { Json } from '../../../base/values/json-writer.ts'
import { networkIds, networks } from '../../../catalog/networks.ts'
import { list, type Members } from './members.ts'

/** Texts of tokens that have no symbol. */
const titles: Readonly<Record<string, string>> = Object.fromEntries(
  networkIds.map((id) => [`unknown-${id}`, `an unknown token of the ${networks[id].inText} network`]),
)

export const titleOf = (token: Json | undefined) => titles[`${token}`] ?? `${token}`

export const daysOf = ({ first, last }: Members) => (first === last ? `${first}` : `${first} to ${last}`)

/** Formats the earnings of a token, by month and in all. */
export function tokenLines(token: Members): readonly string[] {
  return [
    `Earned in ${titleOf(token.token)} (rewards-${`${token.token}`.toLowerCase()}.csv)`,
    ...list(token.months).map((month) => `  ${month.month}  ${sumText(month, token)}`),
    `  in all   ${sumText(token, token)}`,
    '',
  ]
}

/** Formats the dollars of all tokens, and the days without a price. */
export function dollarLines({ rows, usd_of_priced: usd }: Members, unpriced: readonly Members[]): readonly string[] {
  if (rows === 0) return []
  const days = unpriced.map((run) => `  USD unknown: no price for ${daysOf(run)} (${titleOf(run.token)})`)
  return [`All tokens: ${usd} USD`, ...days, '']
}

function sumText(sum: Members, { token, decimals }: Members): string {
  const { earned, formatted_earned: formatted, usd, usd_of_priced: priced, earned_without_price: rest } = sum
  const amount = (tokens: Json | undefined) => `${tokens} ${titleOf(token)}`
  const earnedText = formatted === null ? `${earned} bones` : `${amount(formatted)} (${earned} bones)`
  return `${earnedText}, ${dollars()}, ${rewards(sum.rows)}`

  function dollars(): string {
    if (usd !== null) return `${usd} USD (oracle price)`
    if (rest === earned || typeof decimals !== 'number') return 'USD unknown: no price'
    return `${priced} USD, and USD unknown for ${amount(formatAmount(BigInt(`${rest}`), decimals))} without a price`
  }
}

export const rewards = (rows: Json | undefined) => `${rows} ${rows === 1 ? 'reward' : 'rewards'}`
