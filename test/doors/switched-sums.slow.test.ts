import { beforeAll, describe, expect, it } from 'vitest'
import { features } from '../../src/catalog/feature.ts'
import { relay } from '../../src/doors/dialect/relay.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
import { gatedServer } from '../support/servers/gated-server.ts'
import { mcpOver } from '../support/servers/mcp-client.ts'
import { askDoors } from './one-answer/ask-doors.ts'
import { type Door, doors } from './one-answer/doors.ts'
import { listedTables, type Question, type RowsIn } from './one-answer/question.ts'
import { type DoorWorld, lakeInBucket, openDoorWorld, patient } from './one-answer/world.ts'

/** The one-sum question under switches of a server; `npm run test:long -- doors` asks many more without any. */
const DAY_MS = 86_400_000
const seed = process.env.DOORS_SEED ?? '1'

/** A round through the tables; each has other filters, and every fourth one is of days. */
const round = (number: number) =>
  Array.from({ length: listedTables.length }, (_, place) => number * listedTables.length + place)

const isOverHttp = ({ name }: Door) => name !== 'SQL' && name !== 'export'
const isOfDays = ({ filters }: Question) => 'first_day' in filters
const ask = (door: Door, question: Question, index: number) => isOverHttp(door) && door.takes(question, index)

let world: DoorWorld

beforeAll(async () => {
  world = await openDoorWorld()
})

describe('every door returns the same sum for a random request', () => {
  it('with a look-back key, over the rows that it may see, without SQL', async () => {
    const { test, newKey } = await gatedServer(world.lake, { options: patient })
    const earliest = Date.parse('2025-01-31T00:00:00Z')
    const lookbackDays = Math.floor((Date.now() - earliest) / DAY_MS)
    const key = await newKey({ features, lookbackDays })
    const rowsIn = rowsSince(BigInt(earliest) * 1000n)
    // A statement has whole days, so none of the epoch that ends with the day before.
    const wholeDays = rowsSince(BigInt(earliest) * 1000n + 1n)
    const doorsOfKey = doors.map((door) => ({
      ...door,
      expected: (seen: DoorWorld, question: Question) =>
        door.expected(door.name === 'statement' ? { ...seen, rowsIn: wholeDays } : seen, question),
    }))
    const seen = { ...world, server: test, headers: { authorization: `Bearer ${key}` }, rowsIn }
    const mcp = await mcpOver(test.server, key)
    let cut = 0
    const wrong = await askDoors(
      doorsOfKey,
      { ...seen, mcp },
      {
        ...{ seed, places: [...round(0), ...round(3), ...round(7)], drawnFrom: world.rowsIn, takes: ask },
        onAsked({ resource, asOf = world.snapshots.length - 1 }) {
          if (rowsIn(resource, asOf).length < world.rowsIn(resource, asOf).length) cut += 1
        },
      },
    )
    expect(wrong).toEqual([])
    expect(cut).toBeGreaterThan(0)
    expect((await mcp.names()).includes('sql')).toBe(false)
  })

  it('with --compat relay', async () => {
    const server = await buildTestServer(world.lake, 60_000, undefined, { ...patient, dialect: relay })
    const takes: typeof ask = (door, question, index) => !isOfDays(question) && ask(door, question, index)
    const hosted = { ...world, server, mcp: await mcpOver(server.server) }
    expect(await askDoors(doors, hosted, { seed, places: round(5), takes })).toEqual([])
  })

  it('over a lake in a bucket', async () => {
    const copy = await openDoorWorld(lakeInBucket)
    const takes: typeof ask = (door, question, index) => door.takes(question, index)
    expect(await askDoors(doors, copy, { seed, places: round(7), takes })).toEqual([])
  })
})

/** The rows that a key may see whose look-back begins with an instant. */
function rowsSince(earliest: bigint): RowsIn {
  return (table, snapshot) => {
    const { column = '' } = table.filters?.[table.lookback ?? ''] ?? {}
    const rows = world.rowsIn(table, snapshot)
    return table.lookback === undefined ? rows : rows.filter((row) => (row[column] as bigint) >= earliest)
  }
}
