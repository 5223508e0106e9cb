import type { ChartRow } from '../ask/series.ts'
import { type Child, h } from '../parts/h.ts'
import { grouped, shortUsd, sumOf, symbolOf, wholeTokens } from '../values/amounts.ts'
import type { Network } from '../values/networks.ts'

/** Earnings in one token of one network. */
export interface TokenEarnings {
  readonly network: Network
  readonly token: string | null
  /** Base units, as text. */
  readonly units: string
  readonly usd: string | null
}

export const earnedOf =
  (network: Network) =>
  ({ token, earned, usd }: ChartRow): TokenEarnings => ({ network, token, units: earned, usd })

export const isPaid = ({ units }: TokenEarnings) => BigInt(units) > 0n

/** `0.01750589 HNT`, exact. */
export function amountText({ units, token }: Pick<TokenEarnings, 'units' | 'token'>): string {
  return `${grouped(wholeTokens(units, token))} ${symbolOf(token)}`
}

/** Amounts one under the other, those of one token and network together. */
export function amounts(earned: readonly TokenEarnings[]): Child {
  const paid = earned.filter(isPaid)
  if (paid.length === 0) return '–'
  return paid.map((one) => h('span', { class: 'amount' }, amountText(one)))
}

/** The exact sum in USD of what has a price; undefined when nothing has. */
export function totalUsd(earned: readonly TokenEarnings[]): string | undefined {
  const amounts = earned.filter(isPaid).flatMap(({ usd }) => (usd === null ? [] : [usd]))
  return amounts.length === 0 ? undefined : sumOf(amounts)
}

export const lacksPrice = (earned: readonly TokenEarnings[]) =>
  earned.some((one) => isPaid(one) && one.usd === null)

/** USD rounded for reading, with the exact text for whoever points at it or reads the page by program. */
export function usd(earned: readonly TokenEarnings[]): Child {
  const exact = totalUsd(earned)
  const more = lacksPrice(earned)
    ? h('span', { class: 'quiet' }, exact === undefined ? 'no price' : ' + unpriced')
    : undefined
  if (exact === undefined) return more ?? '–'
  return [h('data', { value: exact, title: `${exact} USD at the oracle price` }, shortUsd(exact)), more]
}
