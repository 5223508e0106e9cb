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
const fatal = statement('FORCE CHECKPOINT')
const one = [{ one: 1 }]

async function openPool(options: Partial<PoolOptions> = {}): Promise<ConnectionPool> {
  const open = () => DuckDBInstance.create(':memory:', { threads: '1' })
  const pool = await ConnectionPool.open({ open, connections: 1, ...options })
  cleanUp(() => pool.close())
  return pool
}

/** Each DuckDB that it opens fails for good at its first checkpoint. */
async function openDoomed(): Promise<() => Promise<DuckDBInstance>> {
  const folder = await temporaryFolder()
  let opened = 0
  return async () => {
    opened += 1
    const instance = await DuckDBInstance.create(join(folder, `${opened}.duckdb`), { threads: '1' })
    const connection = await instance.connect()
    await connection.run("CREATE TABLE t AS SELECT 1; SET debug_checkpoint_abort = 'before_header'")
    connection.closeSync()
    return instance
  }
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
    const pool = await openPool({
      open: await openDoomed(),
      connections: 2,
      report: (sentence) => said.push(sentence),
    })
    const rows = pool.stream(endlessRows)
    await rows.next()
    const asked = [endless, fatal, easy].map((text) => pool.run(text))
    const ends = await Promise.allSettled(asked)
    expect(ends.map((end) => end.status === 'rejected' && end.reason)).toMatchObject([
      refused,
      refused,
      refused,
    ])
    expect(pool.isOpening()).toBe(true)
    await expect(pool.run(easy)).rejects.toMatchObject(refused)
    await expect(pool.ping()).rejects.toMatchObject(refused)
    await expect(rows.next()).rejects.toMatchObject(refused)
    await vi.waitFor(async () => expect(await pool.run(easy)).toEqual(one), 5000)
    expect(pool.isOpening()).toBe(false)
    await expect(pool.ping()).resolves.toBeUndefined()
    expect(said).toEqual([expect.stringMatching(/^DuckDB has failed and is opened anew: FATAL Error/)])
  })

  it('is tried again where no other one can be opened', async () => {
    const said: string[] = []
    const open = await openDoomed()
    const opens = vi.fn(open).mockImplementationOnce(open).mockRejectedValueOnce(new Error('no memory'))
    const pool = await openPool({ open: opens, report: (sentence) => said.push(sentence) })
    await expect(pool.run(fatal)).rejects.toMatchObject(refused)
    await vi.waitFor(async () => expect(await pool.run(easy)).toEqual(one), 5000)
    expect(said.at(-1)).toBe('DuckDB cannot be opened: no memory')
    expect(opens).toHaveBeenCalledTimes(3)
  })

  it('is noticed by a ping', async () => {
    const instance = await (await openDoomed())()
    const open = vi.fn(() => DuckDBInstance.create(':memory:')).mockResolvedValueOnce(instance)
    const pool = await openPool({ open })
    const aside = await instance.connect()
    await expect(aside.run('FORCE CHECKPOINT')).rejects.toThrow('FATAL')
    aside.closeSync()
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
