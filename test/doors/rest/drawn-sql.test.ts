import fc from 'fast-check'
import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import type { SqlSession } from '../../../src/answers/sql/sql-session.ts'
import { readSettings } from '../../../src/services/settings/settings.ts'
import { servedSql } from '../../../src/services/sql.ts'
import { cleanUp } from '../../support/clean-up.ts'
import { readExact } from '../../support/exact-json.ts'
import { type Cells, readers } from '../../support/export/read-files.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { openPostgres } from '../../support/postgres/served-postgres.ts'
import { openSqlSession } from '../../support/servers/ask-sql.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { some } from '../../support/some.ts'
import { drawnStatements } from '../../support/statements/drawn-statements.ts'
import { type AskRows, openPlainDuckdb, toCells } from '../../support/statements/plain-duckdb.ts'
import { scaled } from '../../support/tier.ts'

/** Doors of SQL by name; HTTP has one for each format, which take turns. */
const doors = new Map<string, AskRows>()
const formats: [string, AskRows][] = []
let plain: AskRows

beforeAll(async () => {
  const lake = await smallLake()
  plain = await openPlainDuckdb(lake)
  const session = await openSqlSession(lake)
  doors.set('a session, as ledgerlake sql has it', askSession(session))
  const sql = servedSql(readSettings({}, { lake, engine_memory_mb: '512', engine_threads: '2' }))
  const exports = { most: 10, timeoutMs: 60_000, stallMs: 60_000 }
  const { server } = await buildTestServer(lake, undefined, undefined, {
    openSql: sql.open,
    isSqlOpen: true,
    exports,
  })
  const ask = async (body: object) => {
    const reply = await server.inject({ method: 'POST', url: '/v1/net/sql', payload: body })
    if (reply.statusCode !== 200) throw new Error(reply.body)
    return reply.rawPayload
  }
  for (const format of ['ndjson', 'csv', 'parquet', 'arrow'])
    formats.push([
      `HTTP as ${format}`,
      async ({ query, values }) => {
        const bytes = await ask({ query, parameters: values, format })
        return (await readers[format]?.(bytes)) ?? []
      },
    ])
  formats.push([
    'HTTP as json',
    async ({ query, values }) => {
      const bytes = await ask({ query, parameters: values, integers: 'string' })
      const { records } = readExact(bytes.toString()) as { records: readonly object[] }
      return records.map((record) => {
        const texts = Object.values(record).map((value) => (value === null ? null : String(value)))
        return toCells(Object.keys(record), texts)
      })
    },
  ])
  const { port } = await openPostgres(lake)
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'a', types: { getTypeParser } })
  await client.connect()
  cleanUp(() => client.end())
  doors.set('the wire of PostgreSQL', async ({ query, values }) => {
    const { rows } = await client.query(query, values)
    return rows.map((row) => toCells(Object.keys(row), Object.values(row) as (string | null)[]))
  })
  return async () => {
    session.close()
    await sql.close()
  }
})

/** Texts as they come; PostgreSQL writes booleans as one letter. */
const getTypeParser = (oid: number) => (text: string) =>
  oid === BOOL ? (text === 't' ? 'true' : 'false') : text
/** Source: PostgreSQL, pg_type.dat. */
const BOOL = 16

const askSession =
  (session: SqlSession): AskRows =>
  async ({ query, values }) => {
    const checked = await session.check(query)
    const rows: Cells[] = []
    for await (const some of session.rows(checked, undefined, values))
      rows.push(
        ...some.map((row) =>
          toCells(
            checked.columns.map(({ name }) => name),
            row,
          ),
        ),
      )
    return rows
  }

it('drawn statements have the same rows at every door as in plain DuckDB', async () => {
  let [rows, number] = [0, 0]
  await fc.assert(
    fc.asyncProperty(drawnStatements, async (statement) => {
      const expected = await plain(statement)
      rows += expected.length
      const ofHttp = formats.slice(number % formats.length).slice(0, 1)
      number += 1
      for (const [door, ask] of [...doors, ...some(ofHttp)])
        expect([door, await ask(statement)]).toEqual([door, expected])
    }),
    { numRuns: scaled(25, 1000), seed: 1 },
  )
  expect(rows).toBeGreaterThan(25)
})
