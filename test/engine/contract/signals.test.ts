import { describe, expect, it, onTestFinished } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../../../src/catalog/l2/mobile-reward-shares.ts'
import { toRangesPlan } from '../../../src/catalog/query/to-plan.ts'
import type { Engine, RowNumberReads } from '../../../src/engine/engine.ts'
import { rowsPlan, sumsPlan } from '../../support/contract/plans.ts'
import { describeEngines, openDuckdb, world } from '../../support/contract/world.ts'

type Ask<From> = (from: From, signal?: AbortSignal) => Promise<unknown>

const plan = { resource: iotRewardShares, where: [] }
const firstRows = () => {
  const ranges = world.at.table(iotRewardShares).files.map(({ path }) => ({ file: path, first: 0, end: 1 }))
  return toRangesPlan({ resource: iotRewardShares, columns: ['ordinal'] }, ranges)
}

async function allOf<T>(batches: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const batch of batches) all.push(batch)
  return all
}

/** Every method that answers: without a line for a new one this does not compile. */
const asks: Readonly<
  Record<
    Exclude<keyof Engine, 'byRowNumber' | 'workFor' | 'load' | 'ping' | 'isOpening' | 'retain' | 'close'>,
    Ask<Engine>
  >
> = {
  rows: (engine, signal) => engine.rows(rowsPlan(iotRewardShares), world.at, signal),
  rowBatches: (engine, signal) =>
    allOf(engine.rowBatches({ ...plan, columns: ['ordinal'] }, world.at, signal)),
  count: (engine, signal) => engine.count(plan, world.at, signal),
  sums: (engine, signal) => engine.sums(sumsPlan(iotRewardShares), world.at, signal),
}
const lines = { joinedBy: [], select: (rows: string) => rows, options: 'FORMAT csv' }
const rowNumberAsks: Readonly<Record<keyof RowNumberReads, Ask<RowNumberReads>>> = {
  rows: (byRowNumber, signal) => byRowNumber.rows(firstRows(), world.at, signal),
  columns: (byRowNumber, signal) => allOf(byRowNumber.columns(firstRows(), world.at, signal)),
  count: (byRowNumber, signal) => byRowNumber.count(firstRows(), world.at, signal),
  copy: (byRowNumber, signal) => byRowNumber.copy(firstRows(), lines, world.at, signal),
}
const throughEngine = Object.entries(rowNumberAsks).map(([name, ask]): [string, Ask<Engine>] => [
  `byRowNumber.${name}`,
  async ({ byRowNumber }, signal) => await ask(byRowNumber as RowNumberReads, signal),
])

describeEngines((engine, { readsFiles, open }) => {
  describe('an aborted signal', () => {
    const reason = new Error('the caller is gone')
    const all = [...Object.entries(asks), ...(readsFiles ? throughEngine : [])]

    it.each(all)(
      'rejects %s with its reason, and the same request is answered afterwards',
      async (_, ask) => {
        const before = await ask(engine())
        await expect(ask(engine(), AbortSignal.abort(reason))).rejects.toBe(reason)
        expect(await ask(engine(), new AbortController().signal)).toEqual(before)
      },
    )
  })

  it(`workFor ${readsFiles ? 'adds up the statements and files of a signal' : 'is not offered'}`, async () => {
    const { signal } = new AbortController()
    expect(engine().workFor?.(signal)).toBeUndefined()
    const { files } = world.at.table(mobileRewardShares)
    await engine().count({ resource: mobileRewardShares, where: [] }, world.at, signal)
    await engine().rows(rowsPlan(mobileRewardShares), world.at, signal)
    await engine().byRowNumber?.count(firstRows(), world.at, signal)
    const inRanges = world.at.table(iotRewardShares).files.length
    const work = { statements: 3, files: 2 * files.length + inRanges }
    expect(engine().workFor?.(signal)).toEqual(readsFiles ? work : undefined)
  })

  it('close ends this engine and no other', async () => {
    const other = await open()
    expect(await other.count(plan, world.at)).toBeGreaterThan(0)
    await other.close()
    expect(await engine().count(plan, world.at)).toBeGreaterThan(0)
  })
})

describe('DuckDB', () => {
  it('rejects a request that is aborted while it waits for a connection', async () => {
    const engine = await openDuckdb(world.lake, 1)
    onTestFinished(engine.close)
    const [all, caller] = [rowsPlan(mobileRewardShares), new AbortController()]
    const reason = new Error('the caller is gone')
    const running = engine.rows(all, world.at)
    const waiting = engine.rows(all, world.at, caller.signal)
    caller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    expect(await running).toHaveLength(world.rowsOf(mobileRewardShares).length)
    expect(engine.workFor?.(caller.signal)).toBeUndefined()
  })

  it('answers more requests at once than it has connections', async () => {
    const engine = await openDuckdb()
    onTestFinished(engine.close)
    const all = await engine.rows(rowsPlan(iotRewardShares), world.at)
    const offsets = Array.from({ length: 40 }, (_, index) => index * 3)
    const pages = await Promise.all(
      offsets.map((offset) => engine.rows(rowsPlan(iotRewardShares, { offset, limit: 3 }), world.at)),
    )
    expect(pages).toEqual(offsets.map((offset) => all.slice(offset, offset + 3)))
  })

  it.each(['/etc/passwd', `${world.lake}/../outside.parquet`])('cannot read %s', async (file) => {
    const engine = await openDuckdb()
    onTestFinished(engine.close)
    const range = { file, first: 0, end: 1 }
    const outside = toRangesPlan({ resource: iotRewardShares, columns: ['ordinal'] }, [range])
    await expect(engine.byRowNumber.rows(outside, world.at)).rejects.toThrow(/outside the lake/)
  })
})
