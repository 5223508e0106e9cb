import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { engines } from '../../support/engines.ts'
import { smallNetwork } from '../../support/fixtures.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { some } from '../../support/some.ts'

const rowsOf = (file: string): readonly Readonly<Record<string, string>>[] =>
  readFileSync(`${smallNetwork}/l2/${file}.ndjson`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const hotspotNames = new Map(rowsOf('hotspots').map(({ ecc_key, name }) => [ecc_key, name]))
const makerNames = new Map(rowsOf('makers').map(({ id, name }) => [id, name]))

interface Row {
  readonly group: string | null
  readonly name: string | null
}

const DAYS = 'first_day=2025-01-27&last_day=2025-01-31'
const SERIES = `/l2/iot-reward-shares/totals/series?${DAYS}&interval=all`

const servers = new Map<string, TestServer>()

beforeAll(async () => {
  for (const [name, around] of engines)
    servers.set(name, await buildTestServer(await smallLake(), 60_000, around))
})

describe.each(engines)('the rows of a series, by %s,', (engine) => {
  async function rowsBy(query: string): Promise<readonly Row[]> {
    const { status, text } = await (servers.get(engine) as TestServer).get(`${SERIES}&${query}`)
    expect(status, text).toBe(200)
    return some(JSON.parse(text).records)
  }

  it('have the current name of each hotspot, null if no table has its key', async () => {
    const rows = await rowsBy('group_by=hotspot&limit=1000')
    for (const { group, name } of rows) expect(name).toBe(hotspotNames.get(group ?? '') ?? null)
    expect(rows.filter(({ name }) => name !== null).length).toBeGreaterThan(10)
    expect(rows.filter(({ name }) => name === null).length).toBeGreaterThan(0)
  })

  it('have the name of each maker', async () => {
    const rows = await rowsBy('group_by=maker')
    for (const { group, name } of rows) expect(name).toBe(makerNames.get(group ?? '') ?? null)
    expect(new Set(rows.map(({ name }) => name)).size).toBeGreaterThan(1)
  })

  it.each(['group_by=owner', 'group_by=reward_type', 'limit=1'])('have no name with %s', async (query) => {
    for (const { name } of await rowsBy(query)) expect(name).toBeNull()
  })

  it('have the same names in GraphQL', async () => {
    const query = `{ iotRewardShareSeries(from: "2025-01-27T00:00:01Z", to: "2025-02-01", interval: ALL, groupBy: HOTSPOT, limit: 7) { rows { group name } } }`
    const reply = await (servers.get(engine) as TestServer).server.inject({
      ...{ method: 'POST', url: '/graphql', payload: { query } },
    })
    const rows: readonly Row[] = some(reply.json().data.iotRewardShareSeries.rows)
    for (const { group, name } of rows) expect(name).toBe(hotspotNames.get(group ?? '') ?? null)
    expect(rows.some(({ name }) => name !== null)).toBe(true)
  })
})
