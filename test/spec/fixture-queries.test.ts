import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ingestInto } from '../support/build-lake.ts'
import { buildTestServer, type TestServer } from '../support/build-test-server.ts'
import { readExpected, smallOracle } from '../support/fixtures.ts'
import { makeFolder } from '../support/temporary-folder.ts'

const { queries, counts } = readExpected()
const lists = { iot: '/l2/iot-reward-shares', mobile: '/l2/mobile-reward-shares' }

describe('the small network over REST', () => {
  let server: TestServer
  let remove: () => Promise<void>

  beforeAll(async () => {
    const made = await makeFolder()
    remove = made.remove
    const summary = await ingestInto(made.folder, [smallOracle])
    expect(summary).toMatchObject({ stored: 20, failed: [], refusedRows: 0 })
    server = await buildTestServer(made.folder)
  })

  afterAll(async () => {
    await server.close()
    await remove()
  })

  it.each(queries)('$network $params: pages hold $count records and totals are exact', async (query) => {
    const ids = await walkPages(server, lists[query.network], query.params)
    expect(ids).toHaveLength(query.count)
    expect(new Set(ids).size).toBe(query.count)

    const { status, text } = await server.get(
      `${lists[query.network]}/totals?${new URLSearchParams(query.params)}`,
    )
    expect(status).toBe(200)
    const expected = Object.entries(query.totals).map(([name, digits]) => `"${name}":${digits}`)
    expect(text).toBe(`{${expected.join(',')}}`)
  })

  it('has as many shares as were written', async () => {
    const everything = { from: '2000-01-01', to: '2100-01-01', per_page: '100' }
    expect(await walkPages(server, lists.iot, everything)).toHaveLength(counts.iot ?? -1)
    expect(await walkPages(server, lists.mobile, everything)).toHaveLength(counts.mobile ?? -1)
  })
})

/** Ids of all pages, following next_page. */
async function walkPages(
  server: TestServer,
  path: string,
  params: Record<string, string>,
): Promise<string[]> {
  const ids: string[] = []
  for (let page: number | null = 1; page !== null; ) {
    const { status, text } = await server.get(
      `${path}?${new URLSearchParams({ ...params, page: String(page) })}`,
    )
    expect(status).toBe(200)
    const body = JSON.parse(text) as {
      meta: { count: number; next_page: number | null }
      records: { id: string }[]
    }
    expect(body.records).toHaveLength(body.meta.count)
    ids.push(...body.records.map((record) => record.id))
    page = body.meta.next_page
  }
  return ids
}
