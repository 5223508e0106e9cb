import { listWords } from '../../base/list-words.ts'
import { networkIds } from '../../catalog/networks.ts'
import type { FlatColumn } from '../../catalog/records/flat-columns.ts'
import { writeSpreadsheet } from '../export/formats/csv.ts'
import type { FlatValue } from '../export/formats/flat-batch.ts'
import type { RewardRow } from './reward-rows.ts'

interface StatementColumn extends Omit<FlatColumn, 'from'> {
  readonly of: (row: RewardRow) => FlatValue
}

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

/** The columns of `rewards-TOKEN.csv`. */
const statementColumns: readonly StatementColumn[] = [
  {
    name: 'date',
    type: 'text',
    doc: 'Day, in the zone asked for, in which the middle of the epoch lies; on L1 that of the block.',
    of: ({ day }) => day,
  },
  {
    name: 'hotspot_key',
    type: 'text',
    doc: 'Key of the hotspot; on L1 address of the gateway, 1Wh4bh where there is none.',
    of: ({ key }) => (key === '' ? null : key),
  },
  { name: 'hotspot_name', type: 'text', doc: 'Name of the hotspot now.', of: ({ name }) => name },
  {
    name: 'network',
    type: 'text',
    doc: `${listWords([...networkIds, 'l1'], 'or')}.`,
    of: ({ network }) => network,
  },
  { name: 'reward_type', type: 'text', doc: 'Type of the reward.', of: ({ type }) => type },
  {
    name: 'earned',
    type: 'amount',
    unit: 'bones',
    doc: 'What the hotspot was paid, in bones.',
    of: ({ earned }) => earned,
  },
  {
    name: 'formatted_earned',
    type: 'tokens',
    unit: 'tokens',
    doc: 'The same in whole tokens; empty while the token is unknown.',
    of: ({ earned, decimals }) => scaled(earned, decimals),
  },
  {
    name: 'oracle_price_usd',
    type: 'price',
    unit: 'USD per token',
    doc: 'Oracle price of a token: that of the manifest, on L1 that of burns in the same block; empty where there is none.',
    of: ({ price, decimals }) => scaled(price, decimals),
  },
  {
    name: 'usd',
    type: 'usd',
    unit: 'USD',
    doc: 'What was paid at that price; empty without one.',
    of: usdOf,
  },
  {
    name: 'epoch',
    type: 'long',
    doc: 'Epoch of the manifest; empty without one, and on L1.',
    of: ({ epoch }) => epoch,
  },
  { name: 'source_file', type: 'text', doc: 'File that the reward came in.', of: ({ source }) => source },
  {
    name: 'account_address',
    type: 'text',
    doc: 'Account that L1 paid; empty on L2.',
    of: ({ account }) => account,
  },
  { name: 'block', type: 'long', doc: 'Block of the reward on L1; empty on L2.', of: ({ block }) => block },
  {
    name: 'transaction_hash',
    type: 'text',
    doc: 'Transaction of the reward on L1; empty on L2.',
    of: ({ transaction }) => transaction,
  },
]

const flat = statementColumns.map(({ of: _, ...column }) => ({ ...column, from: { as: 'id' } }) as const)

/** CSV lines for spreadsheets; `isFirst` adds the header. */
export async function csvLines(rows: readonly RewardRow[], isFirst: boolean): Promise<Buffer> {
  async function* batch() {
    yield { rows: rows.length, columns: statementColumns.map(({ of }) => rows.map(of)) }
  }
  const pieces: Uint8Array[] = []
  for await (const piece of writeSpreadsheet(flat, batch(), { integersAsText: false })) pieces.push(piece)
  return Buffer.concat(isFirst ? pieces : pieces.slice(1))
}
