import { spreadsheetCell } from '../export/formats/csv.ts'
import type { RewardRow } from './reward-facts.ts'

/** The columns of `rewards-TOKEN.csv`; docs/guide/statements.md describes them. An unknown value is empty. */
const columns = [
  ...['date', 'hotspot_key', 'hotspot_name', 'network', 'reward_type', 'earned', 'formatted_earned'],
  ...['oracle_price_usd', 'usd', 'epoch', 'source_file', 'account_address', 'block', 'transaction_hash'],
]

export const CSV_HEADER = `${columns}\n`

/** The columns of a statement with the reader's own prices. */
export const VALUED_HEADER = `${[...columns, 'currency', 'price', 'value']}\n`

const text = spreadsheetCell('text')
const tokens = spreadsheetCell('tokens')
const usdCell = spreadsheetCell('usd')

/** The cells of a hotspot; an empty key is a missing one. */
export function hotspotCells(key: string, name: string | null): string {
  return `${text(key === '' ? null : key)},${text(name)}`
}

/**
 * A line for spreadsheets. `hotspot` are the cells of its hotspot, `usd` units of 10^-16 USD, and `valued` cells of own
 * prices with a comma before each.
 */
export function csvLine(
  { facts, earned }: RewardRow,
  hotspot: string,
  usd: bigint | null,
  valued: string,
): string {
  const { cells, unit } = facts
  const formatted = tokens(unit === null ? null : earned * unit)
  return `${cells.date}${hotspot}${cells.kind}${earned},${formatted}${cells.price}${usdCell(usd)}${cells.source}${valued}\n`
}
