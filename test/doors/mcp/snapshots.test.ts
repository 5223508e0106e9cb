import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { relay } from '../../../src/doors/dialect/relay.ts'
import { readExact } from '../../support/exact-json.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { frameFile, operational } from '../../support/messages/oracle-messages.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { type McpClient, mcpOver } from '../../support/servers/mcp-client.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

interface Page {
  readonly snapshot: string
  readonly rows: { readonly total: bigint }
  readonly next: { readonly cursor: string } | null
  readonly answer: { readonly records: readonly { readonly id: string }[] }
}

const range = { resource: 'iot_reward_shares', from: '2000-01-01', to: '2100-01-01' }

const pageOf = async ({ call }: McpClient, given: object): Promise<Page> =>
  readExact<Page>((await call('list', { ...range, rows: 20, ...given })).text)

it('a cursor continues in its snapshot after an ingest', async () => {
  const lake = await smallLake()
  const { server } = await buildTestServer(lake, 100)
  const mcp = await mcpOver(server)
  const first = await pageOf(mcp, {})
  const expected = await pageOf(mcp, { cursor: first.next?.cursor })
  const file = join(await temporaryFolder(), 'iot_reward_share.1.gz')
  writeFileSync(file, frameFile([operational(7, 1_600_000_000)]))
  expect((await ingestInto(lake, [file])).stored).toBe(1)
  let newer = await pageOf(mcp, {})
  while (newer.snapshot === first.snapshot) {
    await setTimeout(20)
    newer = await pageOf(mcp, {})
  }
  expect(newer.rows.total).toBe(first.rows.total + 1n)
  expect(newer.answer.records[1]).toEqual(first.answer.records[0])
  expect(await pageOf(mcp, { cursor: first.next?.cursor })).toEqual(expected)
})

it('a server in the dialect of the hosted service answers tools with the names and texts of that dialect', async () => {
  const { server } = await buildTestServer(await smallLake(), 60_000, undefined, { dialect: relay })
  const mcp = await mcpOver(server)
  const { isError, text } = await mcp.call('list', { resource: 'hotspots', rows: 3 })
  const rest = await server.inject({ url: '/v1/helium/l2/hotspots?per_page=3&integers=string' })
  expect([isError, rest.statusCode]).toEqual([false, 200])
  const { meta: _, ...records } = readExact<Record<string, unknown>>(rest.body)
  expect(Object.keys(records)).toHaveLength(1)
  expect(readExact(text).answer).toEqual(records)
  expect((await mcp.call('list', { resource: 'hotspots', limit: 3 })).text).toContain(
    'limit is not a parameter here',
  )
})
