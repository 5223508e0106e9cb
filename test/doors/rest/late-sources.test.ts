import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { changeSyncState, sourceFolder } from '../../../src/operate/sync/sync-state.ts'
import { readExact } from '../../support/exact-json.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'

it('GET /status has the delay of each sync source without its address, for the newest snapshot only', async () => {
  const lake = await smallLake()
  const server = await buildTestServer(lake)
  const ask = async (query = '') => {
    const { status, text } = await server.get(`/status${query}`)
    expect(status).toBe(200)
    return { text, body: readExact(text) as { snapshot: string; sources?: unknown } }
  }
  const before = await ask()
  expect(before.body).not.toHaveProperty('sources')
  const state = join(lake, '_state')
  const [one, two] = ['s3://files/oracles', 'https://makers.example.org'].map((address) => ({
    folder: sourceFolder(state, address),
    address,
  }))
  for (const source of [one, two]) await mkdir(source?.folder ?? '', { recursive: true })
  if (one === undefined || two === undefined) throw new Error('two sources are meant')
  await changeSyncState(one, {
    doneAt: Date.parse('2025-02-03T04:05:06Z'),
    problem: null,
    fetched: { a: { etag: '1', reason: 'cut' }, b: { etag: '2' } },
    missing: { c: 1, d: 2, e: 3 },
  })
  await changeSyncState(two, { problem: 'access is denied' })
  const { text, body } = await ask()
  expect(body.sources).toEqual([
    { done_at: null, is_failing: true, refused: 0n, missing: 0n },
    { done_at: '2025-02-03T04:05:06Z', is_failing: false, refused: 1n, missing: 3n },
  ])
  expect(text).not.toMatch(/s3:|oracles|example\.org|denied/)
  expect((await ask(`?as_of=${body.snapshot}`)).body).not.toHaveProperty('sources')
})
