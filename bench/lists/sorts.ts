import type { ArchiveDatabase, ArchiveTable } from './archive-database.ts'

/** Values of filters, by the names that the REST interface has for them. */
export type Filters = Readonly<Record<string, string>>

/** One request: a page of a list, or the lookup of one record. */
export interface Question {
  readonly filters: Filters
  /** first, last or any page; a lookup has none. */
  readonly page: 'first' | 'any' | 'lookup'
}

/** Requests of one sort, and what they may take in the middle. */
export interface Sort {
  readonly name: string
  readonly table: ArchiveTable
  /** Below the network's path. */
  readonly path: string
  readonly targetMs: number
  /** Whether a B-tree leads to the rows, so that PostgreSQL is asked as well. */
  readonly isSelective: boolean
  readonly questions: readonly Question[]
}

const paths: Readonly<Record<ArchiveTable, string>> = {
  account_inventory: '/l1/accounts',
  gateway_inventory: '/l1/gateways',
  transactions: '/l1/transactions',
  transaction_actors: '/l1/transaction-actors',
  packets: '/l1/packets',
  rewards: '/l1/rewards',
  dc_burns: '/l1/dc-burns',
}

/** The archive's names of what filters compare with. */
export const columnOfFilter: Readonly<Record<string, string>> = {
  transaction_hash: 'transaction_hash',
  actor_address: 'actor',
  account_address: 'account',
  gateway_address: 'gateway',
  owner_address: 'owner',
  payer_address: 'payer',
}

export function columnOf(table: ArchiveTable, filter: string): string {
  if (table === 'transactions' && filter === 'transaction_hash') return 'hash'
  return columnOfFilter[filter] ?? filter
}

const SELECTIVE_MS = 3
const LOOKUP_MS = 1
const FIRST_PAGE_MS = 50
const ANY_PAGE_MS = 300

/** Filters by table, those of one request in one text. */
type SortsOf = Readonly<Partial<Record<ArchiveTable, readonly string[]>>>

/** The filters of each sort that finds few rows; all of them have the values of one row. */
const selective: SortsOf = {
  account_inventory: ['address'],
  transactions: ['transaction_hash', 'block', 'block type', 'transaction_hash type from'],
  transaction_actors: [
    'actor_address',
    'transaction_hash',
    'block',
    'actor_address actor_role',
    'actor_address transaction_hash',
    'actor_address block',
  ],
  dc_burns: ['actor_address', 'transaction_hash', 'block', 'actor_address type', 'actor_address from to'],
  gateway_inventory: [
    'address',
    'owner_address',
    'payer_address',
    'name',
    'location_hex',
    'owner_address mode',
  ],
  packets: ['gateway_address', 'transaction_hash', 'block', 'gateway_address from to'],
  rewards: [
    'account_address',
    'gateway_address',
    'transaction_hash',
    'block',
    'account_address type',
    'account_address gateway_address',
    'account_address from to',
    'gateway_address type from',
    'transaction_hash account_address',
  ],
}

const lookups: SortsOf = {
  account_inventory: ['address'],
  transactions: ['transaction_hash'],
  gateway_inventory: ['address'],
}

const broad: SortsOf = {
  transactions: ['', 'type', 'from to', 'type from to'],
  transaction_actors: ['actor_role'],
  dc_burns: ['type', 'from to'],
  gateway_inventory: ['mode'],
  packets: ['from to'],
  rewards: ['type', 'from to', 'type from to'],
}

/** So many rows are drawn for each sort, the same ones every time. */
export interface Drawn {
  readonly selective: number
  readonly broad: number
}

export async function sortsOf(database: ArchiveDatabase, drawn: Drawn): Promise<readonly Sort[]> {
  const sorts: Sort[] = []
  const add = async (
    kind: string,
    table: ArchiveTable,
    names: string,
    page: Question['page'],
    targetMs: number,
  ) => {
    const isSelective = targetMs <= SELECTIVE_MS
    const rows = isSelective ? drawn.selective : drawn.broad
    const questions = (await draw(database, table, names, rows)).map((filters) => ({ filters, page }))
    const by = names === '' ? 'everything' : names.replaceAll(' ', ' + ')
    const name = `${kind} ${table} by ${by}`.trim()
    sorts.push({ name, table, path: paths[table], targetMs, isSelective, questions })
  }
  for (const [table, names] of pairsOf(lookups)) await add('lookup in', table, names, 'lookup', LOOKUP_MS)
  for (const [table, names] of pairsOf(selective)) await add('', table, names, 'first', SELECTIVE_MS)
  for (const [table, names] of pairsOf(broad)) {
    await add('first page of', table, names, 'first', FIRST_PAGE_MS)
    await add('any page of', table, names, 'any', ANY_PAGE_MS)
  }
  return sorts
}

function pairsOf(sorts: SortsOf): readonly (readonly [ArchiveTable, string])[] {
  return (Object.keys(sorts) as ArchiveTable[]).flatMap((table) =>
    (sorts[table] ?? []).map((names) => [table, names] as const),
  )
}

const MONTH = 30 * 86_400
const instant = (seconds: number) => new Date(seconds * 1000).toISOString()

async function draw(
  database: ArchiveDatabase,
  table: ArchiveTable,
  names: string,
  rows: number,
): Promise<readonly Filters[]> {
  const filters = names.split(' ').filter((name) => name !== '')
  const columns = filters.map((name) => (name === 'from' || name === 'to' ? 'time' : columnOf(table, name)))
  const known = columns.map((column) => `${column} IS NOT NULL`)
  const drawn = await database.select(
    `SELECT * FROM ${table} WHERE ${['true', ...known].join(' AND ')} USING SAMPLE reservoir(${rows} ROWS) REPEATABLE (1)`,
  )
  return drawn.map((row) => {
    const drawnOf = (name: string) => {
      if (name === 'from') return instant(Number(row.time) - MONTH)
      if (name === 'to') return instant(Number(row.time) + MONTH)
      return String(row[columnOf(table, name)])
    }
    return Object.fromEntries(filters.map((name) => [name, drawnOf(name)]))
  })
}
