import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, it, vi } from 'vitest'
import { ConnectionPool, type PoolOptions } from '../../src/engine/duckdb/instances/connection-pool.ts'
import { separateTurn } from '../../src/engine/separate-turn.ts'
import { cleanUp } from '../support/clean-up.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait.ts'

const statement = (text: string) => ({ text, values: [] })
/** Would run for months. */
const endless = statement('SELECT sum(hash(range)) FROM range(1000000000000000)')
const endlessRows = statement('SELECT range AS number FROM range(10000000000)')
const easy = statement('SELECT 1 AS one')
const one = [{ one: 1 }]

async function openPool(options: Partial<PoolOptions> = {}): Promise<ConnectionPool> {
  const open = () => DuckDBInstance.create(':memory:', { threads: '1' })
  const pool = await ConnectionPool.open({ open, connections: 1, ...options })
  cleanUp(() => pool.close())
  return pool
}

/** Each DuckDB that it opens fails for good at its first checkpoint, which `fail` makes in the newest. */
async function openDoomed() {
  const folder = await temporaryFolder()
  const opened: DuckDBInstance[] = []
  async function open(): Promise<DuckDBInstance> {
    const instance = await DuckDBInstance.create(join(folder, `${opened.length}.duckdb`), { threads: '1' })
    opened.push(instance)
    const connection = await instance.connect()
    await connection.run("CREATE TABLE t AS SELECT 1; SET debug_checkpoint_abort = 'before_header'")
    connection.closeSync()
    return instance
  }
  async function fail(): Promise<void> {
    const connection = await opened.at(-1)?.connect()
    await expect(connection?.run('FORCE CHECKPOINT')).rejects.toThrow('FATAL')
    connection?.closeSync()
  }
  return { open, fail }
}

/** Has every thread of this process that statements run on do something else, until the function that is given is called. */
async function occupyThreads(): Promise<() => Promise<void>> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const count = Number(process.env.UV_THREADPOOL_SIZE ?? 4)
  const connections = await Promise.all(Array.from({ length: count }, () => instance.connect()))
  const running = connections.map((connection) => connection.run(endless.text).catch(() => {}))
  return async () => {
    const timer = setInterval(() => connections.map((connection) => connection.interrupt()), 10)
    await Promise.all(running)
    clearInterval(timer)
    for (const connection of connections) connection.closeSync()
    instance.closeSync()
  }
}

describe('an aborted statement', () => {
  it('rejects at once while it waits, and the next statement gets the connection', async () => {
    const pool = await openPool()
    const [first, second] = [new AbortController(), new AbortController()]
    const running = pool.run(endless, first.signal)
    const waiting = pool.run(easy, second.signal)
    const next = pool.run(easy, new AbortController().signal)
    expect(pool.load()).toMatchObject({ running: 1, waiting: 2 })
    second.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    expect(pool.load()).toMatchObject({ running: 1, waiting: 1 })
    first.abort(new Error('gone too'))
    await expect(running).rejects.toThrow('gone too')
    expect(await next).toEqual(one)
    expect(pool.load()).toMatchObject({ running: 0, waiting: 0, statements: 1 })
  })

  it('ends its stream of rows', async () => {
    const pool = await openPool()
    const caller = new AbortController()
    const rows = pool.stream(endlessRows, caller.signal)
    expect((await rows.next()).done).toBe(false)
    caller.abort(new Error('gone'))
    await expect(rows.next()).rejects.toThrow('gone')
  })
})

it('results that finish at the same time are delivered in separate turns of the event loop', async () => {
  const pool = await openPool({ connections: 3 })
  const ask = () => Array.from({ length: 3 }, () => pool.run(easy))
  await Promise.all(ask())
  let turns = 0
  const count = () => {
    turns += 1
    next = setImmediate(count)
  }
  const given = Promise.all(ask().map((rows) => rows.then(() => turns)))
  // Once they run, they end while the event loop is held up.
  for (let step = 0; step < 20; step += 1) await null
  const until = performance.now() + 100
  while (performance.now() < until);
  let next = setImmediate(count)
  const at = await given
  clearImmediate(next)
  expect(new Set(at).size).toBe(3)
})

it('too many open files reject statements with not_ready without renewing DuckDB, and are logged once a minute', async () => {
  const said: string[] = []
  const pool = await openPool({ report: (sentence) => said.push(sentence) })
  const refused = statement(`SELECT error('Cannot open file "a.parquet": Too many open files')`)
  for (let times = 0; times < 2; times += 1)
    await expect(pool.run(refused)).rejects.toMatchObject({
      code: 'not_ready',
      message: 'Data files cannot be read now: too many files are open. Ask again in a moment.',
    })
  expect(said).toEqual([
    expect.stringMatching(/^Data files cannot be read now: .*a\.parquet": Too many open files$/),
  ])
  expect(pool.isOpening()).toBe(false)
})

describe('an invalidated DuckDB', () => {
  const refused = { code: 'not_ready', message: expect.stringContaining('is being opened anew') }

  it('is replaced, and its running, waiting and new statements reject with not_ready meanwhile', async () => {
    const said: string[] = []
    const { open, fail } = await openDoomed()
    const pool = await openPool({ open, report: (sentence) => said.push(sentence) })
    const rows = pool.stream(endlessRows)
    await rows.next()
    const asked = Promise.allSettled([endless, easy].map((text) => pool.run(text)))
    await fail()
    // Whoever meets the fault first is told of it, and all others that another one is being opened.
    await expect(pool.ping()).rejects.toThrow(/invalidated|is being opened anew/)
    const ends = await asked
    expect(ends.map((end) => end.status === 'rejected' && end.reason)).toMatchObject([refused, refused])
    expect(pool.isOpening()).toBe(true)
    await expect(pool.run(easy)).rejects.toMatchObject(refused)
    await expect(pool.ping()).rejects.toMatchObject(refused)
    await expect(rows.next()).rejects.toMatchObject(refused)
    await waitFor(async () => expect(await pool.run(easy)).toEqual(one))
    expect(pool.isOpening()).toBe(false)
    await expect(pool.ping()).resolves.toBeUndefined()
    expect(said).toEqual([expect.stringMatching(/^DuckDB has failed and is opened anew: .*invalidated/s)])
  })

  it('is replaced by a later attempt after two opens have failed', async () => {
    const said: string[] = []
    const { open, fail } = await openDoomed()
    const opens = vi.fn(open).mockImplementationOnce(open)
    for (let tries = 0; tries < 2; tries += 1) opens.mockRejectedValueOnce(new Error('no memory'))
    const pool = await openPool({ open: opens, report: (sentence) => said.push(sentence) })
    await fail()
    await expect(pool.run(easy)).rejects.toMatchObject(refused)
    await waitFor(async () => expect(await pool.run(easy)).toEqual(one))
    expect(said.slice(1)).toEqual(['DuckDB cannot be opened: no memory'])
    expect(opens).toHaveBeenCalledTimes(4)
    await fail()
    await expect(pool.run(easy)).rejects.toMatchObject(refused)
    expect(said).toEqual([said[0], said[1], said[0]])
  })

  it('is detected by a ping', async () => {
    const doomed = await openDoomed()
    const open = vi.fn(() => DuckDBInstance.create(':memory:')).mockImplementationOnce(doomed.open)
    const pool = await openPool({ open })
    await doomed.fail()
    await expect(pool.ping()).rejects.toThrow('invalidated')
    await waitFor(() => pool.ping())
    expect(open).toHaveBeenCalledTimes(2)
  })
})

describe('the pool', () => {
  it('replaces a DuckDB that does not answer a ping, and pings do not queue behind a hanging statement', async () => {
    const said: string[] = []
    const held = await DuckDBInstance.create(':memory:', { threads: '1' })
    const connect = vi.spyOn(held, 'connect')
    const open = vi.fn(() => DuckDBInstance.create(':memory:')).mockResolvedValueOnce(held)
    const pool = await openPool({ open, report: (sentence) => said.push(sentence), longestPingMs: 50 })
    // A statement on the connection that pings use holds it, as one does that hangs.
    const spare = await connect.mock.results.at(-1)?.value
    const hanging = spare.run(endless.text)
    const run = vi.spyOn(spare, 'run')
    const pings = await Promise.allSettled([pool.ping(), pool.ping(), pool.ping()])
    expect(pings.map((ping) => ping.status === 'rejected' && ping.reason)).toMatchObject(
      pings.map(() => new Error('no answer in 50 ms')),
    )
    expect(run).toHaveBeenCalledTimes(1)
    await waitFor(async () => expect(await pool.run(easy)).toEqual(one))
    expect(said).toEqual(['DuckDB has failed and is opened anew: no answer in 50 ms'])
    spare.interrupt()
    await expect(hanging).rejects.toThrow('Interrupted')
  })

  it('keeps DuckDB while a ping waits for a free thread', async () => {
    const pool = await openPool({ longestPingMs: 1 })
    const end = await occupyThreads()
    const pinged = pool.ping()
    const asked = pool.run(easy)
    // Longer than a ping may take.
    await setTimeout(100)
    expect(pool.isOpening()).toBe(false)
    await end()
    await pinged
    expect(await asked).toEqual(one)
  })

  it('rejects statements that never end when it is closed', async () => {
    const pool = await openPool()
    const end = await occupyThreads()
    const asked = pool.run(easy)
    const closed = pool.close()
    await expect(asked).rejects.toThrow('the engine is closed')
    await end()
    await closed
  })

  it.each([
    ['before its first rows', 0],
    ['between its rows', 1],
  ])('rejects a stream that hangs %s when it is closed', async (_, batches) => {
    const pool = await openPool()
    const rows = pool.stream(endlessRows)
    for (let taken = 0; taken < batches; taken += 1) await rows.next()
    const end = await occupyThreads()
    const asked = rows.next()
    const closed = pool.close()
    await expect(asked).rejects.toThrow('the engine is closed')
    expect(await rows.next()).toEqual({ done: true, value: undefined })
    await end()
    await closed
  })

  it('keeps DuckDB after a statement with an error', async () => {
    const pool = await openPool()
    await expect(pool.run(statement('SELECT nothing'))).rejects.toThrow('Binder Error')
    expect(await pool.run(easy)).toEqual(one)
    expect(pool.isOpening()).toBe(false)
  })
})

describe('renewing DuckDB', () => {
  it('lets the old one finish its running and waiting statements while the new one answers', async () => {
    const opened: DuckDBInstance[] = []
    const open = async () => {
      opened.push(await DuckDBInstance.create(':memory:', { threads: '1' }))
      return opened.at(-1) as DuckDBInstance
    }
    const pool = await openPool({ open })
    const rows = pool.stream(statement('SELECT range AS number FROM range(10000)'))
    await rows.next()
    const caller = new AbortController()
    const running = pool.run(endless, caller.signal)
    const waiting = pool.run(easy)
    const renewed = Promise.all([pool.renew(), pool.renew()])
    await waitFor(() => expect(pool.load()).toMatchObject({ running: 0, waiting: 0 }))
    expect(await pool.run(easy)).toEqual(one)
    caller.abort(new Error('gone'))
    await expect(running).rejects.toThrow('gone')
    expect(await waiting).toEqual(one)
    let count = 0
    for await (const batch of rows) count += batch.length
    expect(count).toBeGreaterThan(0)
    await renewed
    await expect(opened[0]?.connect()).rejects.toThrow()
    expect(await pool.run(easy)).toEqual(one)
    expect(opened).toHaveLength(2)
  })

  it('keeps the old one open until its last result is delivered', {
    retry: 2,
  }, async () => {
    const pool = await openPool()
    const found = pool.run(easy)
    let turns = 0
    const work = Array.from({ length: 10 }, async () => {
      await separateTurn()
      turns += 1
      const until = performance.now() + 40
      while (performance.now() < until);
    })
    const renewed = pool.renew()
    expect(await found).toEqual(one)
    expect(turns).toBe(10)
    await Promise.all([renewed, ...work])
  })

  it('keeps the old one if no new one can be opened, and opens none after the pool is closed', async () => {
    const said: string[] = []
    const first = () => DuckDBInstance.create(':memory:')
    const open = vi.fn(first).mockImplementationOnce(first).mockRejectedValueOnce(new Error('no memory'))
    const pool = await openPool({ open, report: (sentence) => said.push(sentence) })
    await pool.renew()
    expect(said).toEqual(['DuckDB cannot be opened anew: no memory'])
    expect(await pool.run(easy)).toEqual(one)
    const renewed = pool.renew()
    await pool.close()
    await renewed
    expect(open).toHaveBeenCalledTimes(3)
    await expect(pool.run(easy)).rejects.toThrow('the engine is closed')
  })

  it('ends at once when the pool is closed', async () => {
    const pool = await openPool()
    const running = pool.run(endless).catch((error) => String(error))
    const renewed = pool.renew()
    await waitFor(() => expect(pool.load().running).toBe(0))
    await pool.close()
    expect(await running).toContain('the engine is closed')
    await renewed
  })
})
