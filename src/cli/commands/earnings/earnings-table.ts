import type { Earnings, EarningsRequest } from '../../../answers/earnings/earnings.ts'
import { type EarningsRow, rowStates } from '../../../answers/earnings/earnings-row.ts'
import { EarningsTotals, type Gap } from '../../../answers/earnings/earnings-totals.ts'
import { runsOfDays } from '../../../answers/statement/missing.ts'
import { formatAmount } from '../../../base/values/decimal.ts'
import { dateOf } from '../../../base/values/epoch-day.ts'
import { alignColumns, counted } from '../../terminal-text.ts'

type Titled = Pick<EarningsRequest, 'holder' | 'days' | 'tz'>

/** Steps of the table: a line for each day, or only the sums. */
export const tableSteps = ['day', 'total'] as const

type TableStep = (typeof tableSteps)[number]

/** Formats earnings as a table: a line for each day unless only sums are wanted, the sums, and what is missing. */
export async function earningsTable(
  earnings: Earnings,
  request: Titled,
  step: TableStep,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const totals = new EarningsTotals()
  const days: { readonly date: string; readonly totals: EarningsTotals; readonly states: Set<string> }[] = []
  for await (const rows of earnings.rows(signal)) {
    for (const row of rows) totals.add(row)
    const [{ day } = { day: null }] = rows
    if (day !== null) days.push({ date: dateOf(day), ...summed(rows) })
  }
  const tokens = totals.tokens.map(({ token }) => token)
  const heads = ['day', ...tokens, 'USD', 'state']
  const lines = days.map(({ date, totals: ofDay, states }) => [
    ...[date, ...tokens.map((token) => amountIn(ofDay, token)), usdText(ofDay)],
    stateText(ofDay, states),
  ])
  const table = alignColumns([heads, ...lines], [0, heads.length - 1])
  return [
    titleOf(earnings, request),
    '',
    ...(step === 'day' ? [...table, ''] : []),
    ...sumLines(totals),
    ...totals.gaps.map(gapLine),
    ...totals.unknown.map((key) => `Unknown hotspot: ${key}. Check its spelling.`),
  ]
}

function summed(rows: readonly EarningsRow[]) {
  const totals = new EarningsTotals()
  for (const row of rows) totals.add(row)
  return { totals, states: new Set(rows.map(({ state }) => state as string)) }
}

const amountIn = (totals: EarningsTotals, token: string) => {
  const sum = totals.tokens.find((one) => one.token === token)
  return sum === undefined ? '' : formatAmount(sum.amount, 8)
}

/** A sum without every price is a lower bound. */
function usdText(totals: EarningsTotals): string {
  const { usd, isUnpriced } = totals.usd
  if (usd === 0n && (isUnpriced || totals.tokens.length === 0)) return ''
  return `${isUnpriced ? 'at least ' : ''}${roundedUsd(usd)}`
}

const USD_SHOWN = 4
const UNIT = 10n ** BigInt(16 - USD_SHOWN)

/** Rounds units of 10^-16 USD half up. */
function roundedUsd(usd: bigint): string {
  const digits = ((usd + UNIT / 2n) / UNIT).toString().padStart(USD_SHOWN + 1, '0')
  return `${digits.slice(0, -USD_SHOWN)}.${digits.slice(-USD_SHOWN)}`
}

function stateText(totals: EarningsTotals, states: ReadonlySet<string>): string {
  const gaps = totals.gaps.map(({ state, network }) => `${state} (${network})`)
  if (gaps.length > 0) return gaps.join('; ')
  return states.has(rowStates.paid) ? rowStates.paid : rowStates.nothing
}

function titleOf({ hotspots }: Earnings, { holder: { owner }, days: { first, last }, tz }: Titled): string {
  const [hotspot] = hotspots
  const one = hotspot?.name == null ? hotspot?.key : `${hotspot.name} (${hotspot.key})`
  const ofHotspots = hotspots.length === 1 ? one : counted(hotspots.length, 'hotspot')
  const who = owner === undefined ? ofHotspots : `${counted(hotspots.length, 'hotspot')} of owner ${owner}`
  return `${who}, ${first} to ${last} (${tz})`
}

function sumLines(totals: EarningsTotals): readonly string[] {
  const { tokens } = totals
  if (tokens.length === 0 && totals.gaps.length === 0) return ['Nothing was earned on these days.']
  if (tokens.length === 0) return ['No amount is known on these days.']
  const texts = tokens.map(({ token, amount, usd, isUnpriced }) => {
    const rounded = `${roundedUsd(usd)} USD, rounded`
    const dollars = isUnpriced ? `${rounded}, and what has no price` : rounded
    return `${formatAmount(amount, 8)} ${token} (${isUnpriced && usd === 0n ? 'no price' : dollars})`
  })
  const sum =
    tokens.length > 1 ? [`All tokens: ${usdText(totals)} USD, rounded, at the oracle price of each day`] : []
  return [...texts.map((text) => `Earned: ${text}`), ...sum]
}

const titles: Readonly<Record<string, string>> = {
  [rowStates.missing]: 'Data missing',
  [rowStates.incomplete]: 'Files missing',
  [rowStates.tokenUnknown]: 'Paid, token and price unknown for lack of a manifest',
}

function gapLine({ state, network, dates }: Gap): string {
  const runs = runsOfDays(dates).map(({ first, last }) => (first === last ? first : `${first} to ${last}`))
  return `${titles[state] ?? state}: ${network}, ${runs.join(', ')}`
}
