import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resources } from '../../src/catalog/resources.ts'
import type { Lake } from '../../src/services/library/api.ts'
import { type Client, openClient } from '../../src/services/library/client.ts'
import { openLake } from '../../src/services/library/library.ts'
import { operations } from '../../src/services/library/wire-names.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { addressOf } from '../support/servers/mcp-client.ts'

const range = { from: '2025-01-28', to: '2025-02-01' }
const ledgerRange = { from: '2019-01-01', to: '2030-01-01' }

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

let lake: Lake
let client: Client
let server: TestServer

beforeAll(async () => {
  const folder = await smallLake()
  lake = await openLake(folder)
  server = await buildTestServer(folder)
  client = openClient({ url: `${await addressOf(server.server)}/v1/net` })
})
afterAll(async () => {
  await lake.close()
  await server.close()
})

/** Numbers and bigints as their digits. */
function digitsOf(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'bigint') return `#${value}`
  if (Array.isArray(value)) return value.map(digitsOf)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, digitsOf(member)]))
}

const decimals = /^-?\d+\.\d+$/

/** The response of REST in the names and digits of the library; written apart from it. */
async function byRest(path: string, query: object): Promise<unknown> {
  const { text } = await server.get(`${path}?${new URLSearchParams({ ...query })}`)
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? token : decimals.test(token) ? `"${token}"` : `"#${token}"`,
  )
  return JSON.parse(marked, function (this: object, _name, value: unknown) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase()),
        member,
      ]),
    )
  })
}

type Call = (query: object) => Promise<unknown>
type Reads = Readonly<Record<string, Readonly<Record<string, Call>>>>
const callOf = (of: unknown, table: string, verb: string) => {
  const call = (of as Reads)[table]?.[verb]
  if (call === undefined) throw new Error(`there is no ${table}.${verb}`)
  return call
}

/** A range for the tables that need one. */
function rangeOf(table: string, kind: string): object {
  const resource = resources.find(({ name }) => name.replaceAll('_', '') === table.toLowerCase())
  const needsRange = kind === 'series' || resource?.filters?.from?.required === true
  return !needsRange ? {} : table.startsWith('l1') ? ledgerRange : range
}

describe('each operation', () => {
  it.each(operations.filter(([, kind]) => kind !== 'find'))(
    '%s.%s of the library and of the client is the response of REST',
    async (table, kind, path) => {
      const verb = kind === 'list' ? 'page' : kind
      const query = { ...rangeOf(table, kind), ...(kind === 'list' && { perPage: 100 }) }
      const embedded = await callOf(lake, table, verb)(query)
      const { meta, ...body } = (await byRest(path, {
        ...rangeOf(table, kind),
        ...(kind === 'list' && { per_page: 100 }),
      })) as {
        meta: object
      }
      const expected =
        kind === 'list'
          ? { ...meta, records: Object.values(body)[0] }
          : kind === 'series'
            ? { meta, ...body }
            : body
      expect(withoutMaps(digitsOf(embedded))).toEqual(withoutMaps(expected))
      // Types as well: those of the client follow from the document.
      expect(await callOf(client, table, verb)(query)).toEqual(embedded)
    },
  )

  it.each(operations.filter(([, kind]) => kind === 'find'))(
    '%s.%s gives each record of its first page by its id',
    async (table) => {
      const { records } = (await callOf(lake, table, 'page')({})) as { records: { id: string }[] }
      expect(records.length).toBeGreaterThan(0)
      for (const record of records.slice(0, 3)) {
        expect(await callOf(lake, table, 'find')(record.id as never)).toEqual(record)
        expect(await callOf(client, table, 'find')(record.id as never)).toEqual(record)
      }
      expect(await callOf(lake, table, 'find')('nobody' as never)).toBeUndefined()
      expect(await callOf(client, table, 'find')('nobody' as never)).toBeUndefined()
    },
  )
})

/** Members of maps have other names in the test's reading of REST. */
function withoutMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMaps)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => !['fields', 'witnesses'].includes(name))
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutMaps(member)]))
}

it('rows of the library and of the client are all records in order', async () => {
  const listed: unknown[] = []
  for (let [page, pages] = [1, 1]; page <= pages; page += 1) {
    const { records, totalPages } = await lake.iotRewardShares.page({ ...range, page, perPage: 100 })
    pages = totalPages
    listed.push(...records)
  }
  expect(listed).toHaveLength(457)
  expect(await all(lake.iotRewardShares.rows(range))).toEqual(listed)
  expect(await all(client.iotRewardShares.rows(range))).toEqual(listed)
})

it.each(['ndjson', 'csv', 'parquet', 'arrow'] as const)(
  'a file of %s has the bytes of REST',
  async (format) => {
    const file = await lake.mobileRewardShares.export({ ...range, format })
    const bytes = Buffer.concat(await all(file.bytes))
    const fetched = await client.mobileRewardShares.export({ ...range, format })
    const served = Buffer.concat(await all(fetched.bytes))
    const digestOf = (content: Buffer) => createHash('sha256').update(content).digest('hex')
    expect([file.rows, digestOf(bytes)]).toEqual([fetched.rows, digestOf(served)])
    expect(bytes.length).toBeGreaterThan(10_000)
  },
)

it.each(['ndjson', 'csv', 'spreadsheet'] as const)(
  'a series as %s has the bytes of REST in the library and in the client',
  async (format) => {
    const query = { ...range, groupBy: 'hotspot', limit: 1000, format } as const
    const { text } = await server.get(
      `/l2/iot-reward-shares/totals/series?from=${range.from}&to=${range.to}&group_by=hotspot&limit=1000&format=${format}`,
    )
    for (const reads of [lake, client]) {
      const { rows, bytes } = await reads.iotRewardShares.seriesFile(query)
      expect(Buffer.concat(await all(bytes)).toString()).toBe(text)
      expect(rows).toBe(text.trimEnd().split('\n').length - (format === 'ndjson' ? 0 : 1))
    }
    // @ts-expect-error the format is missing
    await expect(lake.iotRewardShares.seriesFile(range)).rejects.toThrow('format is required')
  },
)

it('coverage and search are those of the client', async () => {
  expect(await client.coverage()).toEqual(await lake.coverage())
  expect(await client.search('brave')).toEqual(await lake.search('brave'))
  expect((await lake.search('brave')).hits.length).toBeGreaterThan(0)
})
