import { expect } from 'vitest'
import { readExact } from '../exact-json.ts'
import { metaOf } from '../properties/model.ts'
import type { TestServer } from '../servers/build-test-server.ts'
import { expectedRecords, type ListOperation } from './operations.ts'
import type { Exact, ExactRecord } from './records.ts'

export type Query = Readonly<Record<string, string>>

export const MOST_PER_PAGE = 100

interface Page {
  readonly meta: ExactRecord
  readonly records: readonly ExactRecord[]
}

/** A page as it is answered, with every number exact. */
export async function askPage(
  server: TestServer,
  { path, envelope }: ListOperation,
  query: Query,
): Promise<Page> {
  const address = `${path}?${new URLSearchParams(query)}`
  const { status, text } = await server.get(address)
  expect(status, `${address}: ${text.slice(0, 500)}`).toBe(200)
  const reply = readExact<{ meta: ExactRecord } & Record<string, readonly ExactRecord[]>>(text)
  expect(Object.keys(reply)).toEqual(['meta', envelope])
  return { meta: reply.meta, records: reply[envelope] ?? [] }
}

/** Ids are expected only where a file brought them. */
export function withoutId({ id, ...others }: ExactRecord): ExactRecord {
  return others
}

export const bringsIds = ({ table }: ListOperation) => table === 'makers' || table === 'hotspots'

/** Compares a page, meta and all, with a plain reduction over the records; gives how many records match in all. */
export async function comparePage(
  server: TestServer,
  operation: ListOperation,
  query: Query,
  page: number,
  perPage = MOST_PER_PAGE,
): Promise<number> {
  const all = expectedRecords(operation, query)
  const expected = all.slice((page - 1) * perPage, page * perPage)
  const numbers = { page: String(page), per_page: String(perPage) }
  const asked = await askPage(server, operation, { ...query, ...numbers })
  const records = bringsIds(operation) ? asked.records : asked.records.map(withoutId)
  expect(
    { meta: asked.meta, records },
    `${operation.path} ${JSON.stringify({ ...query, ...numbers })}`,
  ).toEqual({ meta: metaOf(all.length, page, perPage), records: expected })
  return all.length
}

/** Compares the first page and the last one, which together tell how many records match. */
export async function compareEnds(
  server: TestServer,
  operation: ListOperation,
  query: Query,
): Promise<number> {
  const total = await comparePage(server, operation, query, 1)
  if (total > MOST_PER_PAGE) await comparePage(server, operation, query, Math.ceil(total / MOST_PER_PAGE))
  return total
}

/** All records of a list, page by page, with their ids. */
export async function walkList(
  server: TestServer,
  operation: ListOperation,
  perPage: number,
  more: Query = {},
): Promise<readonly ExactRecord[]> {
  const records: ExactRecord[] = []
  for (let page: Exact = 1n; page !== null; ) {
    const asked = await askPage(server, operation, { ...more, page: String(page), per_page: String(perPage) })
    records.push(...asked.records)
    page = asked.meta.next_page ?? null
  }
  return records
}
