import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { rejects } from '../../../src/catalog/lake/rejects.ts'
import type { ListPlan } from '../../../src/catalog/query/plan.ts'
import type { Row } from '../../../src/catalog/resource.ts'
import { type Engine, MOST_BATCH_ROWS } from '../../../src/engine/engine.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import type { Snapshot } from '../../../src/lake/snapshot/snapshot.ts'
import { deriveSeed, openRandom } from '../../../src/write/sample/random.ts'
import { allColumns, equals, plainRows, positionAt } from '../../support/contract/plans.ts'
import { implementations, openDuckdb } from '../../support/contract/world.ts'
import { type MadeLake, makeLake } from '../../support/lakes/make-lake.ts'
import { fewEnds } from '../../support/network/few-files.ts'
import { oracleFiles } from '../../support/network/oracle-files.ts'
import { drawFile, hotspotText } from '../../support/network/shares.ts'

/** A list of more rows than two batches have. */
const drawn = drawFile(openRandom(deriveSeed('batches')), {
  ...{ network: 'iot', name: 'iot_reward_share.1.gz', ends: fewEnds.slice(0, 1), count: 5000, hotspots: 7 },
})
const ROWS = drawn.shares.length
const list: ListPlan = { resource: iotRewardShares, where: [], columns: ['source_file', 'ordinal', 'amount'] }

let lake: MadeLake
let at: Snapshot
beforeAll(async () => {
  lake = await makeLake(oracleFiles([{ ...drawn, manifests: [] }]))
  at = await new Lake(lake.folder).latest()
})

describe.each(implementations.map((one) => [one.name, one] as const))('row batches of %s', (_, { open }) => {
  let engine: Engine
  beforeAll(async () => {
    engine = await open(lake.folder)
  })
  afterAll(() => engine.close())

  async function batchesOf(plan: ListPlan, signal?: AbortSignal) {
    const batches: (readonly Row[])[] = []
    for await (const batch of engine.rowBatches(plan, at, signal)) batches.push(batch)
    return batches
  }

  it('are the complete list in its order, and no batch is longer than its limit', async () => {
    const batches = await batchesOf(list)
    const sizes = batches.map((batch) => batch.length)
    expect(sizes.length).toBeGreaterThan(2)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MOST_BATCH_ROWS)
    expect(Math.min(...sizes)).toBeGreaterThan(0)
    const wanted = await engine.rows({ ...list, limit: 2 * ROWS, offset: 0 }, at)
    expect(wanted).toHaveLength(ROWS)
    expect(batches.flat()).toEqual(wanted)
  })

  it('have the rows of a filter and a position, or none', async () => {
    const where = [equals('hotspot_key', hotspotText(3))]
    const plan = { ...list, where, columns: allColumns(iotRewardShares) }
    const all = await engine.rows({ ...plan, limit: ROWS, offset: 0 }, at)
    expect(all.length).toBeGreaterThan(100)
    const after = positionAt(iotRewardShares, all[9])
    expect(plainRows((await batchesOf({ ...plan, after })).flat())).toEqual(plainRows(all.slice(10)))
    expect(await batchesOf({ ...list, where: [equals('hotspot_key', 'nobody')] })).toEqual([])
    expect(await batchesOf({ resource: rejects, where: [], columns: ['reason'] })).toEqual([])
  })

  it('stop when the reader leaves, and other requests are answered meanwhile and afterwards', async () => {
    for (let round = 0; round < 5; round += 1) {
      for await (const batch of engine.rowBatches(list, at)) {
        expect(batch.length).toBeGreaterThan(0)
        expect(await engine.count(list, at)).toBe(ROWS)
        break
      }
    }
    expect((await batchesOf(list)).flat()).toHaveLength(ROWS)
  })

  it('end with the reason of a signal that is aborted between two of them, or before', async () => {
    const reason = new Error('the caller is gone')
    const caller = new AbortController()
    const batches = engine.rowBatches(list, at, caller.signal)[Symbol.asyncIterator]()
    expect((await batches.next()).value).not.toHaveLength(0)
    caller.abort(reason)
    await expect(batches.next()).rejects.toBe(reason)
    expect((await batches.next()).done).toBe(true)
    await expect(batchesOf(list, AbortSignal.abort(reason))).rejects.toBe(reason)
    expect((await batchesOf(list)).flat()).toHaveLength(ROWS)
  })
})

describe('DuckDB with a single connection', () => {
  let engine: Engine
  beforeAll(async () => {
    engine = await openDuckdb(lake.folder, 1)
  })
  afterAll(() => engine.close())

  it('answers other requests while lists are read', async () => {
    const lists = [engine.rowBatches(list, at), engine.rowBatches(list, at)]
    const readers = lists.map((batches) => batches[Symbol.asyncIterator]())
    for (const reader of readers) expect((await reader.next()).value).not.toHaveLength(0)
    expect(await engine.count(list, at)).toBe(ROWS)
    for (const reader of readers) await reader.return?.()
  })

  it('ends a list with the reason of a signal that is aborted while the first rows are read', async () => {
    const [reason, caller] = [new Error('the caller is gone'), new AbortController()]
    const first = engine.rowBatches(list, at, caller.signal)[Symbol.asyncIterator]().next()
    caller.abort(reason)
    await expect(first).rejects.toBe(reason)
    expect(await engine.count(list, at)).toBe(ROWS)
  })
})
