import { deepStrictEqual } from 'node:assert/strict'
import { parse } from 'lossless-json'
import type { ArchiveDatabase, ArchiveRow, ArchiveTable } from './archive-database.ts'
import { columnOf, type Filters, type Question, type Sort } from './sorts.ts'

export const PER_PAGE = 25

/** A request as it is sent, with what has to come back. */
export interface Expected {
  readonly address: string
  check(body: string): void
}

/** What is sent for the first page, or for a lookup. */
export function firstAddress({ path }: Sort, { filters, page }: Question): string {
  if (page === 'lookup') return `/v1/net${path}/${encodeURIComponent(Object.values(filters)[0] ?? '')}`
  return `/v1/net${path}?${new URLSearchParams({ ...filters, page: '1' })}`
}

const orders: Readonly<Partial<Record<ArchiveTable, string>>> = {
  account_inventory: 'address',
  gateway_inventory: 'address',
  transactions: 'block, hash, rowid',
}

/** Members that stand as they are in the archive, by the name of the archive. */
const renamed: Readonly<Record<string, string>> = {
  hash: 'transaction_hash',
  actor: 'actor_address',
  account: 'account_address',
  gateway: 'gateway_address',
  owner: 'owner_address',
  payer: 'payer_address',
}
/** Numbers that an empty cell leaves at 0; other empty cells are nulls. */
const counted = /^(oracle_price|nonce|elevation|gain|first_block|last_block|\w*_nonce|\w*balance)$/
/** These are written in another way than the archive has them; the tests compare them. */
const rewritten = ['fields', 'witnesses', 'first_timestamp', 'reward_scale']

function condition(table: ArchiveTable, filters: Filters): string {
  const terms = Object.entries(filters).map(([name, value]) => {
    if (name === 'from') return `time >= ${Math.ceil(Date.parse(value) / 1000)}`
    if (name === 'to') return `time <= ${Math.floor(Date.parse(value) / 1000)}`
    return `${columnOf(table, name)} = '${value.replaceAll("'", "''")}'`
  })
  return ['true', ...terms].join(' AND ')
}

/** Asks the archive itself what the answer is. */
export async function expect(
  database: ArchiveDatabase,
  sort: Sort,
  question: Question,
  share: number,
): Promise<Expected> {
  const { table, path } = sort
  const { filters, page } = question
  const where = condition(table, filters)
  const [counted] = await database.select(`SELECT count(*) AS n FROM ${table} WHERE ${where}`)
  const pages = Math.max(1, Math.ceil(Number(counted?.n) / PER_PAGE))
  const number = page === 'any' ? 1 + Math.floor(share * pages) : 1
  const order = orders[table] ?? 'block, transaction_hash, rowid'
  const rows = await database.select(
    `SELECT * FROM ${table} WHERE ${where} ORDER BY ${order} LIMIT ${PER_PAGE} OFFSET ${(number - 1) * PER_PAGE}`,
  )
  if (page === 'lookup') {
    return {
      address: firstAddress(sort, question),
      check: (body) => compare([parse(body) as ArchiveRow], rows),
    }
  }
  const query = new URLSearchParams({ ...filters, page: String(number) })
  return {
    address: `/v1/net${path}?${query}`,
    check(body) {
      const { meta, objects } = parse(body) as { meta: ArchiveRow; objects: readonly ArchiveRow[] }
      deepStrictEqual(String(meta.total_pages), String(pages))
      compare(objects, rows)
    },
  }
}

function compare(records: readonly ArchiveRow[], rows: readonly ArchiveRow[]): void {
  const expected = rows.map((row) =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([name]) => !rewritten.includes(name))
        .map(([name, value]) => [renamed[name] ?? name, text(value) ?? (counted.test(name) ? '0' : null)]),
    ),
  )
  const answered = records.map((record, index) =>
    Object.fromEntries(Object.keys(expected[index] ?? {}).map((name) => [name, text(record[name])])),
  )
  deepStrictEqual(answered, expected)
}

function text(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value)
}
