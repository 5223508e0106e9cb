import { formatAmount } from '../../base/values/decimal.ts'
import { dateOf } from '../../base/values/epoch-day.ts'
import { writeInstant } from '../../base/values/instant.ts'
import { spreadsheetCell } from '../export/formats/csv.ts'
import type { EarningsFormat } from './earnings-format.ts'
import type { EarningsRow } from './earnings-row.ts'
import { middleOf } from './network-days.ts'

/** A payment as a tax tool takes it. */
interface Payment {
  /** Date and time, UTC: the middle of the epoch, so that every tool has the day of the row. */
  readonly date: string
  readonly time: string
  readonly amount: string
  readonly token: string
  /** Empty without a price. */
  readonly usd: string
  /** Hotspot and network, as a cell. */
  readonly description: string
}

interface TaxTool {
  readonly name: string
  readonly title: string
  readonly columns: readonly string[]
  cells(payment: Payment): readonly string[]
}

/** Source: Koinly, "How to create a custom CSV file with your data", universal template; "What are tags?". */
const koinly: TaxTool = {
  name: 'koinly',
  title: 'Koinly',
  columns: [
    ...['Date', 'Sent Amount', 'Sent Currency', 'Received Amount', 'Received Currency', 'Fee Amount'],
    ...['Fee Currency', 'Net Worth Amount', 'Net Worth Currency', 'Label', 'Description', 'TxHash'],
  ],
  cells: ({ date, time, amount, token, usd, description }) => [
    ...[`${date} ${time} UTC`, '', '', amount, token, ''],
    ...['', usd, usd === '' ? '' : 'USD', 'reward', description, ''],
  ],
}

/** Source: CoinTracker, "Convert your transaction history to CoinTracker CSV". */
const cointracker: TaxTool = {
  name: 'cointracker',
  title: 'CoinTracker',
  columns: [
    ...['Date', 'Received Quantity', 'Received Currency', 'Sent Quantity', 'Sent Currency'],
    ...['Fee Amount', 'Fee Currency', 'Tag'],
  ],
  cells: ({ date, time, amount, token }) => {
    const [year, month, day] = date.split('-')
    return [`${month}/${day}/${year} ${time}:00`, amount, token, '', '', '', '', 'mined']
  },
}

const textCell = spreadsheetCell('text')

/** Formats of tax tools. They have payments alone: days without pay, and payments in unknown tokens, are no lines. */
export const taxFormats: readonly EarningsFormat[] = [koinly, cointracker].map((tool) => ({
  name: tool.name,
  // The profile keeps ETags of the CSV formats apart.
  type: `text/csv; charset=utf-8; header=present; profile=${tool.name}`,
  extension: `_${tool.name}.csv`,
  title: `CSV for ${tool.title}`,
  doc: `CSV in the columns that ${tool.title} imports, with payments alone.`,
  hasPaymentsAlone: true,
  async *write(rows, { tz }) {
    yield Buffer.from(`${tool.columns}\n`)
    for await (const batch of rows) {
      const lines = batch
        .flatMap((row) => paymentOf(row, tz) ?? [])
        .map((payment) => `${tool.cells(payment)}\n`)
      yield Buffer.from(lines.join(''))
    }
  },
}))

function paymentOf(
  { day, name, key, network, token, amount, usd }: EarningsRow,
  tz: string,
): Payment | undefined {
  if (day === null || token === null || amount === null) return undefined
  const [date = '', time = ''] = writeInstant(middleOf(dateOf(day), tz)).split('T')
  return {
    ...{ date, time: time.slice(0, 5), token, amount: formatAmount(amount, 8) },
    usd: usd === null ? '' : formatAmount(usd, 16),
    description: textCell(`${name ?? key}, ${network}`),
  }
}
