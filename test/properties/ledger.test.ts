import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { l1Rewards } from '../../src/catalog/l1/rewards.ts'
import type { Resource } from '../../src/catalog/resource.ts'
import { openMemoryEngine } from '../support/contract/memory-engine.ts'
import { readExact } from '../support/exact-json.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { deriveBlocks } from '../support/lakes/derive-all.ts'
import { writeRewards } from '../support/network/archive.ts'
import { inListOrder, matching, membersOf } from '../support/network/reward-list.ts'
import { drawOddRewards } from '../support/network/rewards.ts'
import { type Members, metaOf } from '../support/properties/model.ts'
import { pageSize } from '../support/properties/queries.ts'
import { rewardFilters } from '../support/properties/reward-queries.ts'
import { REQUESTS, seeds } from '../support/properties/runs.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

interface RewardPage {
  readonly meta: Members
  readonly objects: readonly Members[]
}

describe.each(seeds)('rewards of the ledger drawn from seed %i', (seed) => {
  const parts = drawOddRewards(seed)
  const rewards = inListOrder(parts)
  const settings = { seed, numRuns: REQUESTS }
  /** Without indexes, with them, and over arrays of rows. */
  let servers: readonly TestServer[]
  const rowsOf = (resource: Resource) => (resource.name === l1Rewards.name ? rewards : [])

  beforeAll(async () => {
    const folder = await temporaryFolder()
    const lake = join(folder, 'lake')
    const summary = await ingestInto(lake, [writeRewards(folder, parts)])
    expect(summary).toMatchObject({ stored: Object.keys(parts).length, failed: [], refusedRows: 0 })
    const plain = await buildTestServer(lake)
    const memory = await buildTestServer(lake, 60_000, (engine) => ({
      ...openMemoryEngine(rowsOf),
      close: engine.close,
    }))
    await deriveBlocks(lake)
    servers = [plain, await buildTestServer(lake), memory]
  })

  it('a filtered list equals the whole list filtered by hand, from either end, with and without indexes and in memory', async () => {
    /** Filters that something was found with. */
    const found = new Set<string>()
    await fc.assert(
      fc.asyncProperty(rewardFilters, pageSize, async (filters, perPage) => {
        const expected = matching(rewards, filters)
        for (const page of ends(Math.ceil(expected.length / perPage) + 1)) {
          const numbers = { page: String(page), per_page: String(perPage) }
          const path = `/l1/rewards?${new URLSearchParams({ ...filters, ...numbers })}`
          const texts = []
          for (const server of servers) texts.push((await server.get(path)).text)
          const { meta, objects } = readExact<RewardPage>(texts[0] ?? '')
          expect(meta).toEqual(metaOf(expected.length, page, perPage))
          const own = expected.slice((page - 1) * perPage, page * perPage)
          expect(objects.map(({ id: _, ...members }) => members)).toEqual(own.map(membersOf))
          expect(new Set(texts)).toEqual(new Set([texts[0]]))
        }
        if (expected.length > 0) for (const name of Object.keys(filters)) found.add(name)
      }),
      settings,
    )
    expect(found.size).toBeGreaterThan(3)
  })

  it('records have unique ids', async () => {
    const total = rewards.length
    const ids = new Set<unknown>()
    for (let page = 1; page <= Math.ceil(total / 100); page += 1) {
      const { text } = (await servers[0]?.get(`/l1/rewards?per_page=100&page=${page}`)) ?? { text: '' }
      for (const { id } of readExact<RewardPage>(text).objects) ids.add(id)
    }
    expect(ids.size).toBe(total)
  })
})

/** Numbers up to the last, but for those in the middle where there are many. */
function ends(last: number): readonly number[] {
  const all = Array.from({ length: last }, (_, index) => index + 1)
  return last <= 8 ? all : [...all.slice(0, 4), ...all.slice(-4)]
}
