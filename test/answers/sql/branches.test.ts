import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConfinedSession } from '../../../src/engine/duckdb/confined/confined-session.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import {
  at,
  hotspot,
  iotShare,
  makeLake,
  mobileShare,
  type OracleFiles,
} from '../../support/lakes/make-lake.ts'
import { filesOpenedBy, openConfinedLake } from '../../support/servers/confined-lake.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const DAY = 86_400_000_000n

/** Sixteen months; each has rewards of three days, of an hour before midnight, and of the whole month before. */
const months = Array.from({ length: 16 }, (_, index) =>
  new Date(Date.UTC(2024, index, 1)).toISOString().slice(0, 10),
)

function filesOf(month: string, index: number): OracleFiles {
  const first = at(`${month}T00:00:00Z`)
  const periods = [
    [first - DAY, first],
    [first + 13n * DAY, first + 14n * DAY],
    [first + 27n * DAY, first + 28n * DAY],
    [first - DAY / 24n, first + 1n],
    [first - 31n * DAY, first + 12n * DAY],
  ] as const
  const shares = periods.flatMap(([start_period, end_period], number) => {
    const period = {
      start_period,
      end_period,
      reward_type: 'gateway_reward',
      hotspot_key: hotspot(number).raw,
    } as const
    const amount = BigInt(10 * index + number + 1)
    return [
      iotShare({ ...period, beacon_amount: amount }),
      mobileShare({ ...period, dc_transfer_reward: amount }),
    ]
  })
  return {
    [`iot/iot_reward_share.${1000 + index}.gz`]: shares.filter((_, place) => place % 2 === 0),
    [`mobile/mobile_reward_share.${2000 + index}.gz`]: shares.filter((_, place) => place % 2 === 1),
  }
}

let branches: ConfinedSession
let tables: ConfinedSession

beforeAll(async () => {
  const { folder } = await makeLake(Object.assign({}, ...months.map(filesOf)) as OracleFiles)
  const snapshot = await new Lake(folder).latest()
  branches = await openConfinedLake(snapshot, 'branches')
  tables = await openConfinedLake(snapshot, 'tables')
})
afterAll(() => {
  branches.close()
  tables.close()
})

const date = fc
  .integer({ min: -70, max: 520 })
  .map((days) => new Date(Date.UTC(2024, 0, 1) + days * 86_400_000).toISOString().slice(0, 10))
const operator = fc.constantFrom('=', '<', '<=', '>', '>=', '<>')

/** Conditions as programs write them, over each column that the branches have bounds of. */
const simple = fc.oneof(
  fc.tuple(operator, date).map(([sign, day]) => `day ${sign} DATE '${day}'`),
  fc.tuple(operator, date).map(([sign, day]) => `day ${sign} TIMESTAMP '${day} 11:00:00'`),
  fc.tuple(operator, date).map(([sign, day]) => `day ${sign} TIMESTAMPTZ '${day} 00:00:00Z'`),
  fc.tuple(date, date).map(([first, last]) => `day BETWEEN '${first}T00:00:00Z' AND '${last}T23:59:59Z'`),
  date.map((day) => `date_trunc('month', day) = date_trunc('month', DATE '${day}')`),
  fc.tuple(operator, date).map(([sign, day]) => `end_period ${sign} '${day}'`),
  fc.tuple(operator, date).map(([sign, day]) => `month ${sign} '${day.slice(0, 7)}'`),
  fc.integer({ min: 0, max: 6 }).map((number) => `hotspot = '${hotspot(number).text}'`),
  fc.constantFrom("network = 'iot'", 'owner IS NULL', 'amount > 50', 'day IS NOT NULL'),
)
const condition = fc.oneof(
  simple,
  fc.tuple(simple, simple).map(([a, b]) => `${a} AND ${b}`),
  fc.tuple(simple, simple).map(([a, b]) => `(${a} OR ${b})`),
  fc.tuple(simple, simple).map(([a, b]) => `${a} AND NOT (${b})`),
)

interface PlanNode {
  readonly name: string
  readonly extra_info: Readonly<Record<string, unknown>>
  readonly children: readonly PlanNode[]
}

const nodesOf = (plan: readonly PlanNode[]): readonly PlanNode[] =>
  plan.flatMap((node) => [node, ...nodesOf(node.children)])

describe('branches of months', () => {
  it('leave out no row of a statement', async () => {
    let rows = 0
    await fc.assert(
      fc.asyncProperty(condition, async (where) => {
        const statement = `SELECT network, day, hotspot, amount, month FROM earnings WHERE ${where} ORDER BY ALL`
        const found = await branches.send(statement)
        rows += found.length
        expect(found, where).toEqual(await tables.send(statement))
      }),
      { numRuns: 25, seed: 7 },
    )
    expect(rows).toBeGreaterThan(300)
  })

  it.each([
    ["day BETWEEN DATE '2025-03-02' AND DATE '2025-03-28'", 2],
    ["day BETWEEN '2025-03-02T00:00:00Z' AND '2025-03-28T00:00:00Z'", 2],
    ["day >= TIMESTAMP '2025-04-14 00:00:00'", 2],
    ["end_period >= '2025-04-02'", 2],
    ["month = '2025-03'", 2],
    ["date_trunc('month', day) = DATE '2025-02-01' AND network = 'iot'", 2],
  ])('of the months that WHERE %s leaves out are not opened', async (where, most) => {
    const opened = await filesOpenedBy(branches, `SELECT sum(amount) FROM earnings WHERE ${where}`)
    expect(opened.shares).toBeGreaterThan(0)
    expect(opened.shares).toBeLessThanOrEqual(2 * most)
    expect((await filesOpenedBy(tables, `SELECT sum(amount) FROM earnings`)).shares).toBe(32)
  })

  it('are planned for as many rows as they have, so that no join is built over rewards', async () => {
    const [plan] = await branches.send('EXPLAIN (FORMAT json) SELECT min(name) FROM earnings')
    const joins = nodesOf(JSON.parse(String(plan?.explain_value))).filter(({ name }) => name === 'HASH_JOIN')
    const expected = joins.map(({ extra_info }) => extra_info['Estimated Cardinality'])
    const [rows] = await tables.send("SELECT count(*)::VARCHAR AS rows FROM earnings WHERE network = 'iot'")
    expect(rows?.rows).toBe('80')
    expect(expected).toEqual(Array.from({ length: 6 }, () => '80'))
  })

  it('of the ledger are not opened either', async () => {
    const folder = await temporaryFolder()
    await ingestInto(folder, [fileURLToPath(new URL('../../../data/sample/ledger', import.meta.url))])
    const session = await openConfinedLake(await new Lake(folder).latest(), 'branches')
    const sum = 'SELECT count(*), sum(amount) FROM ledger_rewards'
    const opened = async (where: string) => (await filesOpenedBy(session, `${sum} ${where}`)).ledger
    const all = await opened('')
    expect(all).toBeGreaterThan(2)
    expect(await opened("WHERE day BETWEEN '2023-03-02' AND '2023-03-31'")).toBe(all - 2)
    expect(await opened("WHERE month = '2023-03'")).toBe(all - 2)
    session.close()
  })
})
