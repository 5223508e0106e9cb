import { beforeAll, describe, expect, it } from 'vitest'
import { openRandom } from '../../src/write/sample/random.ts'
import { readExact } from '../support/exact-json.ts'
import { type MadeLake, makeLake } from '../support/lakes/make-lake.ts'
import { oracleFiles } from '../support/network/oracle-files.ts'
import { drawFile } from '../support/network/shares.ts'
import type { ShareQuery } from '../support/properties/queries.ts'
import { walkPages } from '../support/properties/walk.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { scaled } from '../support/tier.ts'

const range = 'from=2000-01-01&to=2100-01-01'

describe('pages partition their list in its total order', () => {
  const random = openRandom([20, 25, 1])
  const days = ['2025-01-29', '2025-01-31', '2025-02-01', '2025-02-02', '2025-03-01']
  const ends = days.map((day) => BigInt(Date.parse(day)) / 1000n)
  const draw = (name: string, count: number) =>
    drawFile(random, { network: 'iot', name, ends, count, hotspots: 30 })
  // Sorted by bytes, not by number: 10 comes before 9, and `iot_network` before `iot_reward`.
  const first = [draw('iot_reward_share.9.gz', 60), draw('iot_network_reward_shares_v1.11.gz', 40)]
  const second = [draw('iot_reward_share.10.gz', 50), draw('iot_reward_share.12.gz', 1)]
  const files = [...first, ...second]
  const all: ShareQuery = {
    ...{ network: 'iot', from: 0n, to: 4_000_000_000_000_000n, hotspot: undefined, type: undefined },
  }
  let lake: MadeLake
  let server: TestServer

  beforeAll(async () => {
    // Two commits, so that the rows of one day lie in several files of the lake.
    lake = await makeLake(oracleFiles(first))
    await lake.add(oracleFiles(second))
    server = await buildTestServer(lake.folder)
  })

  // Lists with filters: test/properties/shares.test.ts.
  it.each(scaled([7, 100], [1, 7, 25, 100]))('with pages of %i records', async (perPage) => {
    expect((await walkPages(server, files, all, perPage)).length).toBeGreaterThan(150)
  })

  // What the corpus does not ask.
  it.each([
    ['the last page that can be asked for', `${range}&page=9007199254740&per_page=100`, 2n, 9007199254740n],
    ['a range behind all shares', 'from=2025-03-01T00:00:01Z&to=2100-01-01', 1n, 1n],
  ])('and %s is empty', async (_, query, total_pages, current_page) => {
    const { status, text } = await server.get(`/l2/iot-reward-shares?${query}`)
    expect(status).toBe(200)
    expect(readExact(text)).toEqual({
      meta: { count: 0n, total_pages, current_page, next_page: null, prev_page: current_page - 1n || null },
      records: [],
    })
  })
})
