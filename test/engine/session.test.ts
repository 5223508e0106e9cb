import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { Session } from '../../src/engine/duckdb/session.ts'
import { sql } from '../../src/engine/duckdb/sql.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait.ts'

const THREADS = sql`SELECT current_setting('threads')`

describe('a DuckDB session', () => {
  let session: Session | undefined
  afterEach(() => session?.close())

  async function open(threads: number, signal?: AbortSignal): Promise<Session> {
    const spillFolder = join(await temporaryFolder(), 'spill')
    session = await Session.open({ spillFolder, memoryMb: 64, threads, signal })
    return session
  }

  it('makes its spill folder', async () => {
    await expect(access((await open(1)).spillFolder)).resolves.toBeUndefined()
  })

  it.each([1, 3])('runs work on one thread, and has %i again afterwards', async (threads) => {
    const session = await open(threads)
    expect(await session.onOneThread(() => session.number(THREADS))).toBe(1)
    expect(await session.number(THREADS)).toBe(threads)
  })

  it('has all threads again after failed work', async () => {
    const session = await open(3)
    await expect(session.onOneThread(() => session.run(sql`SELECT nothing`))).rejects.toThrow('nothing')
    expect(await session.number(THREADS)).toBe(3)
  })

  it('reads rows with exact values and bound parameters', async () => {
    const session = await open(1)
    const rows = await session.rows({
      text: 'SELECT 18446744073709551615::DECIMAL(20,0) AS amount, $1 AS name, make_timestamptz(1) AS at',
      values: [{ kind: 'text', value: "o'clock" }],
    })
    expect(rows).toEqual([{ amount: 18446744073709551615n, name: "o'clock", at: 1n }])
  })

  it('runs an urgent use of the connection after the running statement, even if that fails', async () => {
    const session = await open(1)
    const ended: string[] = []
    const end = (what: string) => () => void ended.push(what)
    const soon = (what: string) => () => setImmediate(end(what))
    const made = session.run(sql`CREATE TABLE made AS SELECT range FROM range(1000000)`).then(end('made'))
    await session.whenIdle(soon('after it was made'))
    await made
    const failed = session.run(sql`SELECT sum(range), error('no') FROM range(1000000)`).catch(end('failed'))
    await session.whenIdle(soon('after it failed'))
    await failed
    await session.whenIdle(soon('at once'))
    await waitFor(() => expect(ended).toHaveLength(5))
    expect(ended).toEqual(['made', 'after it was made', 'failed', 'after it failed', 'at once'])
  })

  it('interrupts the running statement when its signal aborts', async () => {
    const controller = new AbortController()
    const session = await open(1, controller.signal)
    const run = session.run(sql`SELECT sum(a.range + b.range) FROM range(1000000) a, range(1000000) b`)
    controller.abort()
    await expect(run).rejects.toThrow(/interrupt/i)
  })
})
