import { once } from 'node:events'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../../../src/services/settings/settings.ts'
import { servedSql } from '../../../src/services/sql.ts'
import { cleanUp } from '../../support/clean-up.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { RawClient, send } from '../../support/postgres/raw-client.ts'
import { openPostgres } from '../../support/postgres/served-postgres.ts'

const MOST_CONNECTIONS = 30
const HUGE = 'select md5(i::varchar) as m from range(100000000000) r(i)'
const ENDLESS = 'select max(md5(i::varchar)) from range(100000000000) r(i)'
let served: Awaited<ReturnType<typeof openPostgres>>

beforeAll(async () => {
  const lake = await smallLake()
  const settings = { lake, engine_memory_mb: '512', engine_threads: '2', sql_processes: '1' }
  const rest = servedSql(readSettings({}, settings))
  cleanUp(rest.close)
  // The doors have a process each, so that a request can pass statements that wait for one.
  served = await openPostgres(lake, {
    openSql: rest.open,
    isSqlOpen: true,
    door: { mostConnections: MOST_CONNECTIONS },
  })
})

const clients: RawClient[] = []
afterEach(() => {
  for (const { socket } of clients.splice(0)) socket.destroy()
})

const opened = async () => {
  const client = await RawClient.open(served.port)
  clients.push(client)
  await client.start()
  return client
}
const leave = async ({ socket }: RawClient) => {
  socket.destroy()
  await once(socket, 'close')
}
const isAnswered = async () => expect(await (await opened()).rows('select 2')).toEqual([['2']])

describe('the only process', () => {
  it.each([
    ['runs', [send.query(ENDLESS)]],
    ['copies', [send.query(`copy (${HUGE}) to stdout`)]],
    ['sends rows that nobody reads', [send.query(HUGE)]],
    [
      'is suspended',
      [send.parse('', HUGE), send.bind('p', ''), send.execute('p', 1), Buffer.from('H\0\0\0\x04')],
    ],
  ])('is free once the client has left whose statement %s', async (_, messages) => {
    const client = await opened()
    client.write(...messages)
    if (messages[0]?.includes('max') !== true) await client.next()
    client.socket.pause()
    await leave(client)
    await isAnswered()
  })

  it('is free once a client has left that waits for it', async () => {
    const [holder, waiting] = [await opened(), await opened()]
    await holder.ask(send.query(`begin; declare c cursor for ${HUGE}; fetch 1 from c`))
    waiting.write(send.query('select 1'))
    await new Promise((resolve) => setTimeout(resolve, 100))
    await leave(waiting)
    await holder.ask(send.query('commit'))
    await isAnswered()
  })

  it('is free once the time of a suspended statement is over', async () => {
    const client = await opened()
    await client.ask(send.query("set statement_timeout = '400ms'"))
    await client.ask(send.query(`begin; declare c cursor for ${HUGE}; fetch 1 from c`))
    await isAnswered()
    expect(await client.stateOf('fetch 1 from c')).toBe('57014')
  })

  it('ends a wait at the time of the statement that waits', async () => {
    const [holder, waiting] = [await opened(), await opened()]
    await holder.ask(send.query(`begin; declare c cursor for ${HUGE}; fetch 1 from c`))
    await waiting.ask(send.query("set statement_timeout = '200ms'"))
    expect(await waiting.stateOf('select 1')).toBe('57014')
    // Its time is not over, so the wait did not end with it.
    expect(await holder.rows('fetch 1 from c')).toHaveLength(1)
    await holder.ask(send.query('rollback'))
    expect(await waiting.rows('show server_encoding')).toEqual([['UTF8']])
  })

  it('is replaced after a statement that takes too much memory', async () => {
    const client = await opened()
    expect(await client.stateOf("select length(printf('%2000000000d', 1))")).toBe('53200')
    await isAnswered()
  })

  it('keeps no other request from its turn, while clients wait for it and one does not read', async () => {
    const many = await Promise.all(Array.from({ length: 20 }, opened))
    for (const client of many) {
      client.write(send.query(HUGE))
      client.socket.pause()
    }
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const { server } = served.server
    const request = server.inject({ url: '/v1/net/sql', query: { query: 'select 1 as n' } })
    // Otherwise it waits for the time of those statements.
    const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 10_000))
    expect((await Promise.race([request, late]))?.statusCode).toBe(200)
    await Promise.all(many.map(leave))
    await isAnswered()
  })
})

describe('connections beyond the limit', () => {
  it('are closed at once, beyond some that are refused with a sentence', async () => {
    const clients = await Promise.all(
      Array.from({ length: MOST_CONNECTIONS + 110 }, () =>
        RawClient.open(served.port).catch(() => undefined),
      ),
    )
    await expect
      .poll(() => clients.filter((client) => client?.isClosed !== false).length)
      .toBeGreaterThanOrEqual(10)
    expect(clients.filter((client) => client?.isClosed === false).length).toBeGreaterThan(0)
    for (const client of clients) client?.socket.destroy()
    await expect.poll(async () => (await (await RawClient.open(served.port)).start()).at(-1)?.type).toBe('Z')
  })
})
