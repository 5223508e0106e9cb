import { fail } from '../../base/errors.ts'
import { formatAmount } from '../../base/values/decimal.ts'
import { type Cell, MOST_SHEET_ROWS, roundedNumber, workbook } from '../export/workbook/workbook.ts'
import { runsOfDays } from '../statement/missing.ts'
import type { EarningsRow } from './earnings-row.ts'
import { EarningsTotals } from './earnings-totals.ts'
import { dayNumber } from './network-days.ts'

const text = (value: string | null): Cell => (value === null ? null : { text: value })
const exact = (units: bigint | null, scale: number): Cell =>
  units === null ? null : { text: formatAmount(units, scale) }
const rounded = (units: bigint | null, scale: number): Cell =>
  units === null ? null : roundedNumber(units, scale)

const heads = ['date', 'hotspot_name', 'hotspot_key', 'network', 'token', 'amount', 'amount_exact']
const HEADER = [...heads, 'price_usd', 'usd', 'usd_exact', 'state'].map(text)
const WIDTHS = [12, 24, 54, 9, 9, 18, 22, 12, 18, 26, 20]

/**
 * Writes rows as a workbook: a sheet with a row for each day and hotspot, and one with the sums and the gaps. Numbers
 * are rounded to fifteen digits; the texts beside them have all digits.
 */
export function writeWorkbook(rows: AsyncIterable<readonly EarningsRow[]>): AsyncIterable<Uint8Array> {
  const totals = new EarningsTotals()

  async function* earningRows(): AsyncGenerator<readonly Cell[]> {
    yield HEADER
    let number = 1
    for await (const batch of rows)
      for (const row of batch) {
        number += 1
        if (number > MOST_SHEET_ROWS)
          fail('malformed_request', `A sheet has at most ${MOST_SHEET_ROWS} rows; use fewer days, or csv.`)
        totals.add(row)
        yield cellsOf(row)
      }
  }

  return workbook([
    { name: 'Earnings', widths: WIDTHS, rows: earningRows() },
    { name: 'Totals', widths: [24, 18, 22, 18, 26], rows: totalRows(totals) },
  ])
}

function cellsOf({
  day,
  name,
  key,
  network,
  token,
  amount,
  price,
  usd,
  state,
}: EarningsRow): readonly Cell[] {
  return [
    ...[day === null ? null : { day }, text(name), text(key), text(network), text(token)],
    ...[rounded(amount, 8), exact(amount, 8), rounded(price, 8)],
    ...[rounded(usd, 16), exact(usd, 16), text(state)],
  ]
}

/** Read after the last row was added. */
async function* totalRows(totals: EarningsTotals): AsyncGenerator<readonly Cell[]> {
  yield ['token', 'amount', 'amount_exact', 'usd', 'usd_exact', 'note'].map(text)
  const note = (isUnpriced: boolean) => text(isUnpriced ? 'without what has no price' : null)
  for (const { token, amount, usd, isUnpriced } of totals.tokens)
    yield [
      ...[text(token), rounded(amount, 8), exact(amount, 8)],
      ...[rounded(usd, 16), exact(usd, 16), note(isUnpriced)],
    ]
  const { usd, isUnpriced } = totals.usd
  yield [text('all tokens'), null, null, rounded(usd, 16), exact(usd, 16), note(isUnpriced)]
  yield []
  yield ['not known', 'network', 'first day', 'last day'].map(text)
  for (const { state, network, dates } of totals.gaps)
    for (const { first, last } of runsOfDays(dates))
      yield [text(state), text(network), { day: dayNumber(first) }, { day: dayNumber(last) }]
  for (const key of totals.unknown) yield [text('unknown hotspot'), text(key)]
}
