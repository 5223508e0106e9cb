import { groupBy } from '../../base/maps.ts'
import type { ChartRow } from '../ask/series.ts'
import { type Child, h } from '../parts/h.ts'
import type { TableColumn } from '../parts/table.ts'
import { grouped, shortUsd, sumOf, symbolOf, usdDecimals, wholeTokens } from '../values/amounts.ts'
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

/** Adds earnings by network and token. USD is null if a part has no price. */
export function sumByToken(earned: readonly TokenEarnings[]): readonly TokenEarnings[] {
  const groups = groupBy(earned, ({ network, token }) => `${network} ${token}`)
  return [...groups.values()].flatMap((parts) => {
    const [first] = parts
    const units = sumOf(parts.map((one) => one.units))
    return first ? [{ ...first, units, usd: lacksPrice(parts) ? null : (totalUsd(parts) ?? '0.0') }] : []
  })
}

/** Returns an exact amount with its unit: `0.01750589 HNT`. */
export function amountText({ units, token }: Pick<TokenEarnings, 'units' | 'token'>): string {
  return `${grouped(wholeTokens(units, token))} ${symbolOf(token)}`
}

/** Lists amounts, one per network and token; a dash if none was paid. */
export function amounts(earned: readonly TokenEarnings[]): Child {
  const paid = earned.filter(isPaid)
  if (paid.length === 0) return '–'
  return paid.map((one) => h('span.amount', amountText(one)))
}

/** Returns the exact USD sum of the priced earnings; undefined if none has a price. */
export function totalUsd(earned: readonly TokenEarnings[]): string | undefined {
  const amounts = earned.filter(isPaid).flatMap(({ usd }) => (usd === null ? [] : [usd]))
  return amounts.length === 0 ? undefined : sumOf(amounts)
}

export const lacksPrice = (earned: readonly TokenEarnings[]) =>
  earned.some((one) => isPaid(one) && one.usd === null)

/** The column of USD of a table, with the same number of digits in all rows. */
export function usdColumn<Row>(
  rows: readonly Row[],
  earnedOf: (row: Row) => readonly TokenEarnings[],
): TableColumn<Row> {
  const decimals = usdDecimals(rows.flatMap((row) => totalUsd(earnedOf(row)) ?? []))
  return { title: 'USD', isNumber: true, isLead: true, cell: (row) => usd(earnedOf(row), decimals) }
}

/** USD rounded for display. The tooltip and the `value` attribute have the exact text. */
export function usd(earned: readonly TokenEarnings[], decimals?: number): Child {
  const exact = totalUsd(earned)
  const more = lacksPrice(earned)
    ? h('span.quiet', exact === undefined ? 'no price' : ' + unpriced')
    : undefined
  if (exact === undefined) return more ?? '–'
  return [
    h('data', { value: exact, title: `${exact} USD at the oracle price` }, shortUsd(exact, decimals)),
    more,
  ]
}
