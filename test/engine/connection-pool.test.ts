import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, it, vi } from 'vitest'
import { ConnectionPool, type PoolOptions } from '../../src/engine/duckdb/connection-pool.ts'
import { cleanUp } from '../support/clean-up.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const statement = (text: string) => ({ text, values: [] })
/** Would run for years. */
const endless = statement(
  'SELECT sum(hash(a.range + b.range)) FROM range(10000000000) a, range(10000000000) b',
)
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

describe('whoever gives up', () => {
  it('while waiting for a connection is told at once, and the connection goes to the next', async () => {
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

  it('ends the statement that runs for it', async () => {
    const pool = await openPool()
    const caller = new AbortController()
    const rows = pool.stream(endlessRows, caller.signal)
    expect((await rows.next()).done).toBe(false)
    caller.abort(new Error('gone'))
    await expect(rows.next()).rejects.toThrow('gone')
  })
})

describe('a DuckDB that has failed for good', () => {
  const refused = { code: 'not_ready', message: expect.stringContaining('is being opened anew') }

  it('is replaced; what ran or waited on it, and what comes meanwhile, is refused', async () => {
    const said: string[] = []
    const { open, fail } = await openDoomed()
    const pool = await openPool({ open, report: (sentence) => said.push(sentence) })
    const rows = pool.stream(endlessRows)
    await rows.next()
    const asked = [endless, easy].map((text) => pool.run(text))
    await fail()
    await expect(pool.ping()).rejects.toThrow('invalidated')
    const ends = await Promise.allSettled(asked)
    expect(ends.map((end) => end.status === 'rejected' && end.reason)).toMatchObject([refused, refused])
    expect(pool.isOpening()).toBe(true)
    await expect(pool.run(easy)).rejects.toMatchObject(refused)
    await expect(pool.ping()).rejects.toMatchObject(refused)
    await expect(rows.next()).rejects.toMatchObject(refused)
    await vi.waitFor(async () => expect(await pool.run(easy)).toEqual(one), 5000)
    expect(pool.isOpening()).toBe(false)
    await expect(pool.ping()).resolves.toBeUndefined()
    expect(said).toEqual([expect.stringMatching(/^DuckDB has failed and is opened anew: .*invalidated/s)])
  })

  it('is tried again where no other one can be opened', async () => {
    const said: string[] = []
    const { open, fail } = await openDoomed()
    const opens = vi.fn(open).mockImplementationOnce(open).mockRejectedValueOnce(new Error('no memory'))
    const pool = await openPool({ open: opens, report: (sentence) => said.push(sentence) })
    await fail()
    await expect(pool.run(easy)).rejects.toMatchObject(refused)
    await vi.waitFor(async () => expect(await pool.run(easy)).toEqual(one), 5000)
    expect(said.at(-1)).toBe('DuckDB cannot be opened: no memory')
    expect(opens).toHaveBeenCalledTimes(3)
  })

  it('is noticed by a ping', async () => {
    const doomed = await openDoomed()
    const open = vi.fn(() => DuckDBInstance.create(':memory:')).mockImplementationOnce(doomed.open)
    const pool = await openPool({ open })
    await doomed.fail()
    await expect(pool.ping()).rejects.toThrow('invalidated')
    await vi.waitFor(() => pool.ping(), 5000)
    expect(open).toHaveBeenCalledTimes(2)
  })

  it('is not what a statement with a fault leaves', async () => {
    const pool = await openPool()
    await expect(pool.run(statement('SELECT nothing'))).rejects.toThrow('Binder Error')
    expect(await pool.run(easy)).toEqual(one)
    expect(pool.isOpening()).toBe(false)
  })
})
