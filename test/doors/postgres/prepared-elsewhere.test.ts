import { expect, it } from 'vitest'
import { readSettings } from '../../../src/services/settings/settings.ts'
import { servedSql } from '../../../src/services/sql.ts'
import { cleanUp } from '../../support/clean-up.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { RawClient, rowIn, send } from '../../support/postgres/raw-client.ts'
import { openPostgres } from '../../support/postgres/served-postgres.ts'

it('a prepared statement has the same rows in a process that did not check it', async () => {
  const lake = await smallLake()
  const sql = servedSql(
    readSettings({}, { lake, engine_memory_mb: '512', engine_threads: '2', sql_processes: '2' }),
  )
  cleanUp(sql.close)
  const { port } = await openPostgres(lake, { door: { open: sql.open } })
  const [client, other] = [await RawClient.open(port), await RawClient.open(port)]
  await client.start()
  await other.start()
  await client.ask(send.parse('s', 'select count(*) from daily_earnings'), send.sync())
  const count = async () => {
    const messages = await client.ask(send.bind('', 's'), send.execute(), send.sync())
    return messages.filter(({ type }) => type === 'D').map((row) => String(rowIn(row)[0]))
  }
  const before = await count()
  await other.ask(
    send.query(
      'begin; declare c cursor for select md5(i::varchar) from range(100000000000) r(i); fetch 1 from c',
    ),
  )
  expect(await count()).toEqual(before)
})
