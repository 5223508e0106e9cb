import { formatAmount } from '../../base/values/decimal.ts'
import { dateOf } from '../../base/values/epoch-day.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import type { FlatColumn } from '../../catalog/records/flat-columns.ts'
import type { FlatBatch, FlatValue } from '../export/formats/flat-batch.ts'

/** State of a day of a hotspot in a network. Unknown is never zero: days without data have no amount. */
export const rowStates = {
  paid: 'paid',
  tokenUnknown: 'paid, token unknown',
  nothing: 'nothing earned',
  incomplete: 'files missing',
  missing: 'data missing',
  unknown: 'unknown hotspot',
} as const

/** The pay of a hotspot on one day in one token. Null is unknown, or has no meaning in this state. */
export interface EarningsRow {
  /** Days since 1970; null for an unknown hotspot. */
  readonly day: number | null
  readonly name: string | null
  readonly key: string
  readonly network: string | null
  readonly token: string | null
  /** Units of 10^-8 tokens. */
  readonly amount: bigint | null
  /** Units of 10^-8 USD per token; null if several prices apply. */
  readonly price: bigint | null
  /** Units of 10^-16 USD. */
  readonly usd: bigint | null
  readonly state: (typeof rowStates)[keyof typeof rowStates]
}

const column = (name: string, type: FlatColumn['type'], doc: string): FlatColumn => ({
  ...{ name, type, doc },
  from: { as: 'column', of: name },
})

export const earningsColumns: readonly FlatColumn[] = [
  column('date', 'date', 'Day that was paid, in the time zone tz.'),
  column('hotspot_name', 'text', 'Name of the hotspot; empty if no table names it.'),
  column('hotspot_key', 'text', 'Key of the hotspot.'),
  column('network', 'text', 'Network that paid.'),
  column('token', 'text', 'Symbol of the token.'),
  column('amount', 'tokens', 'Pay in whole tokens; empty while it is unknown.'),
  column(
    'price_usd',
    'price',
    'Oracle price of a token in USD; empty without one, or with several on this day.',
  ),
  column('usd', 'usd', 'Pay in USD at the oracle price; empty without one.'),
  column('state', 'text', `One of: ${Object.values(rowStates).join('; ')}.`),
]

/** Converts rows to columns of values. */
export function batchOf(rows: readonly EarningsRow[]): FlatBatch {
  const members = ['day', 'name', 'key', 'network', 'token', 'amount', 'price', 'usd', 'state'] as const
  return {
    rows: rows.length,
    columns: members.map((member) => rows.map((row): FlatValue => row[member])),
  }
}

/** Converts a row to JSON, as NDJSON has it. */
export function earningsRecord({ day, amount, price, usd, ...row }: EarningsRow): JsonObject {
  return {
    date: day === null ? null : dateOf(day),
    hotspot_name: row.name,
    hotspot_key: row.key,
    network: row.network,
    token: row.token,
    amount: amount === null ? null : formatAmount(amount, 8),
    price_usd: price === null ? null : formatAmount(price, 8),
    usd: usd === null ? null : formatAmount(usd, 16),
    state: row.state,
  }
}
