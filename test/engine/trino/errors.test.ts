import { setTimeout } from 'node:timers/promises'
import { inspect } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import { ServiceError } from '../../../src/base/errors.ts'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { openTrinoEngine } from '../../../src/engine/trino/trino-engine.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import type { Snapshot } from '../../../src/lake/snapshot/snapshot.ts'
import { rowsPlan, sumsPlan } from '../../support/contract/plans.ts'
import { iotReward, makeLake } from '../../support/lakes/make-lake.ts'
import { type FakeReply, type FakeTrino, openFakeTrino, rowsReply } from '../../support/trino/fake-trino.ts'
import { waitFor } from '../../support/wait.ts'

const everything = { resource: iotRewardShares, where: [] }
const options = { catalog: 'lake', schema: 'default', user: 'reader', password: '', session: {} }
const limits = { statements: 2, longestMs: 30_000, longestListMs: 60_000 }

let at: Snapshot
let committed: string
beforeEach(async () => {
  const share = iotReward('2025-01-31', 1, { beacon_amount: 7n })
  const lake = await makeLake({ 'iot/iot_reward_share.1.gz': [share] })
  at = await new Lake(lake.folder).latest()
  committed = String(at.table(iotRewardShares).committedAt)
})

const isHistory = (sql: string) => sql.includes('$history')
const sameTable = () => rowsReply(['at'], [committed])

/** An engine whose cluster knows the tables of the lake, and replies to everything else with this. */
async function openFake(answer: (sql: string) => readonly FakeReply[], more: object = {}) {
  const fake = await openFakeTrino((sql) => (isHistory(sql) ? sameTable() : answer(sql)))
  return { fake, engine: openTrinoEngine({ ...options, ...limits, server: fake.server, ...more }) }
}

async function refusalOf(answer: Promise<unknown>) {
  const error = await answer.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  const { code, status, message } = error as { code: string; status: number; message: string }
  return { code, status, message }
}

const count = (engine: Engine, signal?: AbortSignal) => engine.count(everything, at, signal)
/** Waits for what is to happen on the cluster, not for ever. */
const until = (is: () => boolean) => waitFor(() => expect(is()).toBe(true))

const asked = ({ statements }: FakeTrino) => statements.filter(({ sql }) => !isHistory(sql))

describe('an error of the cluster', () => {
  it.each([
    ['EXCEEDED_TIME_LIMIT', 'INSUFFICIENT_RESOURCES', 'deadline_exceeded', 504],
    ['QUERY_QUEUE_FULL', 'INSUFFICIENT_RESOURCES', 'overloaded', 503],
    ['CLUSTER_OUT_OF_MEMORY', 'INSUFFICIENT_RESOURCES', 'overloaded', 503],
    ['EXCEEDED_LOCAL_MEMORY_LIMIT', 'INSUFFICIENT_RESOURCES', 'overloaded', 503],
    ['GENERIC_INSUFFICIENT_RESOURCES', 'INSUFFICIENT_RESOURCES', 'not_ready', 503],
    ['PAGE_TRANSPORT_TIMEOUT', 'INTERNAL_ERROR', 'not_ready', 503],
    ['REMOTE_HOST_GONE', 'INTERNAL_ERROR', 'not_ready', 503],
    ['NO_NODES_AVAILABLE', 'INSUFFICIENT_RESOURCES', 'not_ready', 503],
    ['HIVE_CANNOT_OPEN_SPLIT', 'EXTERNAL', 'not_ready', 503],
    ['TABLE_NOT_FOUND', 'USER_ERROR', 'not_ready', 503],
    ['INVALID_ARGUMENTS', 'USER_ERROR', 'not_ready', 503],
    ['ADMINISTRATIVELY_KILLED', 'INSUFFICIENT_RESOURCES', 'not_ready', 503],
    ['SYNTAX_ERROR', 'USER_ERROR', 'not_ready', 503],
    ['AN_ERROR_OF_A_LATER_TRINO', 'INTERNAL_ERROR', 'not_ready', 503],
  ])('%s of a reply with status 200 is %s > %s, %i', async (errorName, errorType, code, status) => {
    const error = { errorName, errorType, message: 'line 1:8: /srv/secret' }
    const { engine } = await openFake(() => [{ state: 'QUEUED' }, { error }])
    for (const ask of [
      count(engine),
      engine.rows(rowsPlan(iotRewardShares), at),
      engine.sums(sumsPlan(iotRewardShares), at),
    ]) {
      const refusal = await refusalOf(ask)
      expect(refusal).toEqual({ code, status, message: expect.not.stringContaining('secret') })
    }
  })

  it('is reported on the first page of a response and on later ones', async () => {
    const error = { errorName: 'REMOTE_TASK_ERROR', message: 'gone' }
    const first = await openFake(() => [{ error }])
    expect(await refusalOf(count(first.engine))).toMatchObject({ code: 'not_ready' })
    const page = { columns: [{ name: 'count' }], data: [[1]] }
    const later = await openFake(() => [page, { error }])
    expect(await refusalOf(count(later.engine))).toMatchObject({ code: 'not_ready' })
  })

  it.each([
    [503, 'not_ready'],
    [502, 'not_ready'],
    [401, 'not_ready'],
    [429, 'overloaded'],
  ])('the status %i of its gateway is %s', async (status, code) => {
    const { engine } = await openFake(() => [{ status }])
    expect(await refusalOf(count(engine))).toMatchObject({ code, status: 503 })
  })

  it('is logged with the words of the cluster, once a minute', async () => {
    const told: string[] = []
    const error = { errorName: 'REMOTE_HOST_GONE', message: 'worker 7 has gone' }
    const { engine } = await openFake(() => [{ error }], {
      report: (sentence: string) => told.push(sentence),
    })
    for (let round = 0; round < 3; round += 1) await refusalOf(count(engine))
    expect(told).toEqual(['Trino does not answer (not_ready): REMOTE_HOST_GONE: worker 7 has gone'])
  })

  it('is not_ready if no cluster listens, and later requests are answered', async () => {
    const engine = openTrinoEngine({ ...options, ...limits, server: 'http://127.0.0.1:8' })
    expect(await refusalOf(count(engine))).toMatchObject({ code: 'not_ready', status: 503 })
    await expect(engine.ping?.()).rejects.toMatchObject({ code: 'not_ready' })
    let tries = 0
    const { engine: other } = await openFake(() => {
      tries += 1
      return tries === 1 ? [{ status: 503 }] : rowsReply(['count'], [3])
    })
    expect(await refusalOf(count(other))).toMatchObject({ code: 'not_ready' })
    expect(await count(other)).toBe(3)
  })

  it('of a table comparison is not remembered, and the next request compares again', async () => {
    let comparisons = 0
    const fake = await openFakeTrino((sql) => {
      if (!isHistory(sql)) return rowsReply(['count'], [3])
      comparisons += 1
      return comparisons === 1 ? [{ status: 503 }] : sameTable()
    })
    const engine = openTrinoEngine({ ...options, ...limits, server: fake.server })
    expect(await refusalOf(count(engine))).toMatchObject({ code: 'not_ready' })
    expect(await count(engine)).toBe(3)
  })

  it('contains no part of the request with its password', async () => {
    const engine = openTrinoEngine({ ...options, ...limits, server: 'https://127.0.0.1:8', password: 'hush' })
    const error = await count(engine).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ServiceError)
    const told = inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true })
    expect(told).toContain('ECONNREFUSED')
    expect(told).not.toContain('hush')
  })
})

describe('a wrong number is never returned', () => {
  it.each([
    ['a 64-bit integer that JSON has as a number', 'ordinal', 7],
    ['an amount that JSON has as a number', 'beacon_amount', 7],
    ['an instant that is none', 'end_period', 'soon'],
    ['a text that is a number', 'hotspot_key', 7],
  ])('%s is refused', async (_, column, value) => {
    const { engine } = await openFake(() => rowsReply([column], [value]))
    const plan = rowsPlan(iotRewardShares, { columns: [column] })
    expect(await refusalOf(engine.rows(plan, at))).toMatchObject({ code: 'not_ready', status: 503 })
  })

  it('if a statement ends before it has finished', async () => {
    const { engine } = await openFake(() => [
      { columns: [{ name: 'count' }], data: [[1]], state: 'CANCELED' },
    ])
    expect(await refusalOf(count(engine))).toMatchObject({ code: 'not_ready' })
  })

  it('if Trino has another table under the name, even with a version of that number', async () => {
    const fake = await openFakeTrino((sql) => rowsReply(['at'], [isHistory(sql) ? '1735689600000' : '5']))
    const engine = openTrinoEngine({ ...options, ...limits, server: fake.server })
    const refusal = await refusalOf(count(engine))
    expect(refusal).toMatchObject({
      code: 'not_ready',
      message: expect.stringContaining('ledgerlake trino register'),
    })
    expect(asked(fake)).toEqual([])
  })

  it('because values have all their digits', async () => {
    const columns = ['end_period', 'ordinal', 'beacon_amount', 'hotspot_key']
    const row = ['2025-01-31 01:03:25.120839 UTC', '9223372036854775807', '18446744073709551615', null]
    const { engine } = await openFake(() => rowsReply(columns, row))
    const [only] = await engine.rows(rowsPlan(iotRewardShares, { columns }), at)
    expect(only).toEqual({
      end_period: BigInt(Date.parse('2025-01-31T01:03:25Z')) * 1000n + 120_839n,
      ordinal: 2n ** 63n - 1n,
      beacon_amount: 2n ** 64n - 1n,
      hotspot_key: null,
    })
  })
})

describe('a statement', () => {
  it('has the user, the time limit and the properties of the session', async () => {
    const { engine, fake } = await openFake(() => rowsReply(['count'], [1]), {
      session: { retry_policy: 'QUERY' },
    })
    await count(engine)
    const headers = asked(fake)[0]?.headers ?? {}
    expect(headers).toMatchObject({ 'x-trino-user': 'reader', 'x-trino-time-zone': 'UTC' })
    expect(headers['x-trino-session']).toBe('retry_policy=QUERY,query_max_run_time=30000ms')
    expect(headers.authorization).toBeUndefined()
  })

  it('of a whole list has the timeout of exports', async () => {
    const { engine, fake } = await openFake(() => rowsReply(['ordinal'], ['1']))
    for await (const batch of engine.rowBatches({ ...everything, columns: ['ordinal'] }, at))
      expect(batch).toEqual([{ ordinal: 1n }])
    expect(asked(fake)[0]?.headers['x-trino-session']).toBe('query_max_run_time=60000ms')
  })

  it('is cancelled by its id if the client disconnects before the first rows, and the request ends at once', async () => {
    const { engine, fake } = await openFake(() => [{ state: 'QUEUED' }, { waits: true }])
    const [caller, reason] = [new AbortController(), new Error('the caller is gone')]
    const answer = count(engine, caller.signal)
    await until(() => asked(fake).length > 0)
    await setTimeout(20)
    caller.abort(reason)
    await expect(answer).rejects.toBe(reason)
    await until(() => fake.cancelled.length > 0)
    expect(fake.cancelled).toEqual([`q${fake.statements.length}`])
  })

  it('is cancelled if the client disconnects while it is being sent', async () => {
    const { engine, fake } = await openFake(() => [{ state: 'QUEUED', delayMs: 100 }, { waits: true }])
    const [caller, reason] = [new AbortController(), new Error('the caller is gone')]
    const answer = count(engine, caller.signal)
    await until(() => asked(fake).length > 0)
    caller.abort(reason)
    await expect(answer).rejects.toBe(reason)
    expect(fake.cancelled).toEqual([])
    await until(() => fake.cancelled.length > 0)
    expect(fake.cancelled).toEqual([`q${fake.statements.length}`])
  })

  it('of an export that is left early is cancelled', async () => {
    const data = Array.from({ length: 2048 }, (_, number) => [String(number)])
    const { engine, fake } = await openFake(() => [{ columns: [{ name: 'ordinal' }], data }, { waits: true }])
    const list = { ...everything, columns: ['ordinal'] }
    for await (const batch of engine.rowBatches(list, at)) {
      expect(batch).toHaveLength(2048)
      break
    }
    await until(() => fake.cancelled.length > 0)
    expect(fake.cancelled).toHaveLength(1)
  })

  it('waits in a queue while enough are running, and load reports the numbers', async () => {
    const { engine, fake } = await openFake(() => [{ state: 'QUEUED' }, { waits: true }])
    const callers = [1, 2, 3].map(() => new AbortController())
    const answers = callers.map(({ signal }) => count(engine, signal).catch((reason: unknown) => reason))
    await until(() => asked(fake).length > 1)
    expect(engine.load?.()).toMatchObject({ name: 'trino', running: 2, waiting: 1 })
    callers[2]?.abort(new Error('no longer'))
    expect(await answers[2]).toEqual(new Error('no longer'))
    expect(asked(fake)).toHaveLength(2)
    expect(engine.load?.()).toMatchObject({ running: 2, waiting: 0 })
    for (const caller of callers) caller.abort(new Error('no longer'))
    await Promise.all(answers)
    expect(engine.load?.()).toMatchObject({ running: 0, waiting: 0 })
  })

  it('rejects and is cancelled when its engine closes', async () => {
    const { engine, fake } = await openFake(() => [{ state: 'QUEUED' }, { waits: true }])
    const answer = count(engine)
    await until(() => asked(fake).length > 0)
    await engine.close()
    await expect(answer).rejects.toThrow('the engine is closed')
    await until(() => fake.cancelled.length > 0)
    expect(fake.cancelled).toHaveLength(1)
  })

  it('is pinged with SELECT 1 while others wait, and not while others are answered', async () => {
    const { engine, fake } = await openFake(
      (sql) => (sql === 'SELECT 1' ? rowsReply(['_col0'], [1]) : [{ waits: true }]),
      { statements: 1 },
    )
    const caller = new AbortController()
    const answers = [1, 2].map(() => count(engine, caller.signal).catch((reason: unknown) => reason))
    await until(() => asked(fake).length > 0)
    for (let round = 0; round < 3; round += 1) await engine.ping?.()
    expect(asked(fake).filter(({ sql }) => sql === 'SELECT 1').length).toBeLessThanOrEqual(1)
    caller.abort(new Error('enough'))
    await Promise.all(answers)
  })

  it('of a version is preceded by one table comparison for any number of requests', async () => {
    const { engine, fake } = await openFake(() => rowsReply(['count'], [1]))
    await Promise.all([count(engine), count(engine), count(engine)])
    expect(fake.statements.filter(({ sql }) => isHistory(sql))).toHaveLength(1)
    expect(asked(fake)).toHaveLength(3)
  })
})
