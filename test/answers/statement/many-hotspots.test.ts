import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { statementOf } from '../../../src/answers/statement/statement.ts'
import { writeSampleLedger } from '../../../src/write/sample/ledger/write-ledger.ts'
import { writeHotspots } from '../../../src/write/sample/write-hotspots.ts'
import { writeSampleNetwork } from '../../../src/write/sample/write-sample-network.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { deriveAll } from '../../support/lakes/derive-all.ts'
import { askSql } from '../../support/servers/ask-sql.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { countIndexReads, workOf } from '../../support/servers/work-of.ts'
import { some } from '../../support/some.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

countIndexReads()

const sizes = { hotspots: 600, seed: 7 }
const ranges = { l2: 'from=2025-01-29&to=2025-02-02', l1: 'from=2019-07-01&to=2024-12-31' }

let lake: string
let plain: TestServer
let indexed: TestServer
/** Owners with three and with more than a hundred hotspots. */
let few: string
let many: string
let hotspotsOfMany = 0

beforeAll(async () => {
  const parent = await temporaryFolder()
  const [network, ledger] = [join(parent, 'network'), join(parent, 'ledger')]
  lake = join(parent, 'lake')
  await writeSampleNetwork({ ...sizes, days: 5, start: '2025-01-29', out: network })
  await writeHotspots({ ...sizes, out: network })
  await writeSampleLedger({ ...sizes, transactions: 2000, out: ledger })
  expect((await ingestInto(lake, [network, ledger])).failed).toEqual([])
  const owners = await askSql(lake, 'SELECT owner, count(*) FROM hotspots GROUP BY 1 ORDER BY 2 DESC, 1')
  const withHotspots = (least: number) => owners.filter(([, count]) => Number(count) >= least)
  many = String(withHotspots(100)[0]?.[0])
  hotspotsOfMany = Number(withHotspots(100)[0]?.[1])
  few = String(withHotspots(3).at(-1)?.[0])
  plain = await buildTestServer(lake)
  await deriveAll(lake)
  indexed = await buildTestServer(lake)
  // A first statement reads the makers, owners and manifests.
  for (const server of [plain, indexed])
    for (const range of Object.values(ranges)) await server.get(statement(few, range))
})

const statement = (owner: string, range: string) => `/statement?owner=${owner}&${range}`

describe.each(Object.entries(ranges))('a statement of many hotspots, %s', (_, range) => {
  it('takes no more statements than that of three hotspots', async () => {
    expect(hotspotsOfMany).toBeGreaterThan(100)
    for (const server of [plain, indexed]) {
      const ofFew = await workOf(server, statement(few, range))
      const ofMany = await workOf(server, statement(many, range))
      expect(ofMany.statements).toBeLessThanOrEqual(ofFew.statements + 2)
      expect(ofMany.statements).toBeLessThan(20)
    }
  })

  it('is the same with indexes and without', async () => {
    for (const owner of [few, many]) {
      const address = statement(owner, range)
      const { text } = await plain.get(address)
      expect((await indexed.get(address)).text).toBe(text)
      for (const { name } of some(JSON.parse(text).files as readonly { name: string }[])) {
        const file = address.replace('?', `/${name}?`)
        expect((await indexed.get(file)).text).toBe((await plain.get(file)).text)
      }
    }
  })
})

describe('a statement of many hotspots', () => {
  it('reads each block of a hotspot once', async () => {
    const { indexReads } = await workOf(indexed, statement(many, ranges.l2))
    expect(indexReads).toBeLessThanOrEqual(2 * hotspotsOfMany)
  })

  it('of keys takes no more statements than that of nine keys', async () => {
    const { repository, lake: opened } = indexed.services
    const at = await opened.latest()
    const owned = await askSql(lake, `SELECT ecc_key FROM hotspots WHERE owner = '${many}'`)
    async function statementsOf(count: number): Promise<number> {
      const { signal } = new AbortController()
      const days = { first: '2019-07-01', last: '2025-12-31' }
      const keys = owned.slice(0, count).map(([key]) => ({ key: String(key), ...days }))
      const parts = statementOf(repository, { holder: { keys }, days, tz: 'UTC' }, at, signal)
      let part = await parts.next()
      while (part.done !== true) part = await parts.next()
      expect(part.value.hotspots).toHaveLength(count)
      return repository.workFor(signal).statements
    }
    expect(await statementsOf(owned.length)).toBeLessThanOrEqual((await statementsOf(9)) + 2)
  })

  it('has the sums of plain SQL', async () => {
    const { text } = await indexed.get(statement(many, 'from=2025-01-28&to=2025-02-03'))
    const { tokens, hotspots } = JSON.parse(text)
    const ofOwner = `hotspot_key IN (SELECT ecc_key FROM hotspots WHERE owner = '${many}')`
    const [[rows, earned] = []] = await askSql(
      lake,
      `SELECT sum(rows)::VARCHAR, sum(earned)::VARCHAR FROM (
        SELECT count(*) AS rows, sum(beacon_amount + witness_amount + dc_transfer_amount) AS earned FROM iot_reward_shares WHERE ${ofOwner}
        UNION ALL SELECT count(*), sum(coalesce(dc_transfer_reward, 0) + coalesce(poc_reward, 0) + coalesce(base_poc_reward, 0) + coalesce(boosted_poc_reward, 0)) FROM mobile_reward_shares WHERE ${ofOwner})`,
    )
    const add = (sums: readonly { rows: number; earned: string }[]) => [
      String(sums.reduce((sum, one) => sum + one.rows, 0)),
      String(sums.reduce((sum, one) => sum + BigInt(one.earned), 0n)),
    ]
    expect(add(some(tokens))).toEqual([rows, earned])
    expect(hotspots).toHaveLength(hotspotsOfMany)
  })
})
