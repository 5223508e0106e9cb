import { expect, it } from 'vitest'
import { readSettings } from '../../../src/services/settings/settings.ts'
import { servedSql } from '../../../src/services/sql.ts'
import { cleanUp } from '../../support/clean-up.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { RawClient, send } from '../../support/postgres/raw-client.ts'
import { openPostgres } from '../../support/postgres/served-postgres.ts'

const HUGE = 'select md5(i::varchar) from range(100000000000) r(i)'
const FLUSH = Buffer.from('H\0\0\0\x04')

it('a process that a client with many statements leaves goes to another client first, of any door', async () => {
  const lake = await smallLake()
  const settings = { lake, engine_memory_mb: '512', engine_threads: '2', sql_processes: '2' }
  const sql = servedSql(readSettings({}, settings))
  cleanUp(sql.close)
  const { port, server } = await openPostgres(lake, {
    ...{ openSql: sql.open, isSqlOpen: true, door: { open: sql.open } },
  })
  const opened = async () => {
    const client = await RawClient.open(port)
    await client.start()
    return client
  }
  const clients = await Promise.all(Array.from({ length: 5 }, opened))
  for (const client of clients) await client.ask(send.parse('s', HUGE), send.sync())
  for (const [place, client] of clients.entries()) {
    client.write(send.bind('p', 's'), send.execute('p', 1), FLUSH)
    if (place < 2) await client.until('s')
  }
  await new Promise((resolve) => setTimeout(resolve, 200))
  const ask = (remoteAddress: string) =>
    server.server.inject({ remoteAddress, url: '/v1/net/sql', query: { query: 'select 1 as n' } })
  const requests = ['10.0.0.2', '10.0.0.3'].map(ask)
  await new Promise((resolve) => setTimeout(resolve, 200))
  clients[0]?.socket.destroy()
  // In order of arrival, the requests would wait for the time of those statements.
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 10_000))
  for (const request of requests) expect((await Promise.race([request, late]))?.statusCode).toBe(200)
})
