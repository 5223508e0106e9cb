import type { FlatColumn } from '../../catalog/records/flat-columns.ts'
import { writeSpreadsheet } from '../export/formats/csv.ts'
import type { FlatValue } from '../export/formats/flat-batch.ts'
import type { RewardRow } from './reward-rows.ts'

const SCALE = 8

/** Units of a token in units of 10^-8; null when the token is unknown. */
export function scaled(units: bigint | null, decimals: number | null): bigint | null {
  return units === null || decimals === null ? null : units * 10n ** BigInt(SCALE - decimals)
}

/** USD of a reward in units of 10^-16; null when its price is unknown. */
export function usdOf({ earned, price, decimals }: RewardRow): bigint | null {
  const [tokens, usd] = [scaled(earned, decimals), scaled(price, decimals)]
  return tokens === null || usd === null ? null : tokens * usd
}

type StatementColumn = readonly [type: FlatColumn['type'], of: (row: RewardRow) => FlatValue]

/** The columns of `rewards-TOKEN.csv`; docs/guide/statements.md describes them. An unknown value is empty. */
const statementColumns: Readonly<Record<string, StatementColumn>> = {
  date: ['text', ({ day }) => day],
  hotspot_key: ['text', ({ key }) => (key === '' ? null : key)],
  hotspot_name: ['text', ({ name }) => name],
  network: ['text', ({ network }) => network],
  reward_type: ['text', ({ type }) => type],
  earned: ['amount', ({ earned }) => earned],
  formatted_earned: ['tokens', ({ earned, decimals }) => scaled(earned, decimals)],
  oracle_price_usd: ['price', ({ price, decimals }) => scaled(price, decimals)],
  usd: ['usd', usdOf],
  epoch: ['long', ({ epoch }) => epoch],
  source_file: ['text', ({ source }) => source],
  account_address: ['text', ({ account }) => account],
  block: ['long', ({ block }) => block],
  transaction_hash: ['text', ({ transaction }) => transaction],
}

const flat = Object.entries(statementColumns).map(
  ([name, [type]]) => ({ name, type, doc: '', from: { as: 'id' } }) as const,
)

/** CSV lines for spreadsheets; `isFirst` adds the header. */
export async function csvLines(rows: readonly RewardRow[], isFirst: boolean): Promise<Buffer> {
  async function* batch() {
    yield { rows: rows.length, columns: Object.values(statementColumns).map(([, of]) => rows.map(of)) }
  }
  const pieces: Uint8Array[] = []
  for await (const piece of writeSpreadsheet(flat, batch(), { integersAsText: false })) pieces.push(piece)
  return Buffer.concat(isFirst ? pieces : pieces.slice(1))
}
