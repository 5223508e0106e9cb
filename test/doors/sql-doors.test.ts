import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { hostileStatements, type Places } from '../answers/sql/hostile.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { RawClient, send } from '../support/postgres/raw-client.ts'
import { openPostgres } from '../support/postgres/served-postgres.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let served: Awaited<ReturnType<typeof openPostgres>>
let places: Places
let client: RawClient | undefined

beforeAll(async () => {
  const [lake, foreign, out, folder] = [
    await smallLake(),
    await smallLake(),
    await temporaryFolder(),
    await temporaryFolder(),
  ]
  const secret = join(folder, 'secret.csv')
  await writeFile(secret, 'SECRET')
  places = { lake, live: await shares(lake), secret, foreign: await shares(foreign), out }
  served = await openPostgres(lake, { isSqlOpen: true })
})

async function shares(lake: string): Promise<string> {
  const folder = join(lake, 'iot_reward_shares')
  const names = await readdir(folder, { recursive: true })
  return join(folder, String(names.find((name) => name.endsWith('.parquet'))))
}

interface Answer {
  readonly hasFailed: boolean
  readonly text: string
}

async function wire(...messages: readonly Buffer[]): Promise<Answer> {
  if (client === undefined || client.isClosed) {
    client = await RawClient.open(served.port)
    await client.start()
  }
  const replies = await client.ask(...messages)
  if (!client.isClosed) await client.ask(send.query('rollback'))
  return {
    hasFailed: replies.some(({ type }) => type === 'E'),
    text: replies.map(({ body }) => String(body)).join(),
  }
}

async function rest(query: string): Promise<Answer> {
  const { server } = served.server
  const { statusCode, body } = await server.inject({ method: 'POST', url: '/v1/net/sql', payload: { query } })
  return { hasFailed: statusCode === 422, text: body }
}

/** The door of PostgreSQL answers these from its own state and catalog, whatever the engine has. */
const ofPostgres =
  /^(begin|commit|set |reset )|pg_views|information_schema\.views|pg_settings|pg_get_viewdef|current_setting/

describe.each([
  ['POST /sql', rest, /^$/],
  ['a simple query', (query: string) => wire(send.query(query)), ofPostgres],
  [
    'the extended protocol',
    (query: string) =>
      wire(send.parse('', query), send.bind('', ''), send.describe('P'), send.execute(), send.sync()),
    ofPostgres,
  ],
  ['COPY TO STDOUT', (query: string) => wire(send.query(`copy (${query}) to stdout`)), ofPostgres],
  [
    'a cursor',
    (query: string) => wire(send.query(`begin; declare c cursor for ${query}; fetch all from c`)),
    ofPostgres,
  ],
] as const)('a statement that means harm, by %s', (_, ask, answered) => {
  it('fails or shows nothing of the engine and its files, and leaves none', async () => {
    const statements = hostileStatements(places)
    expect(statements.length).toBeGreaterThan(180)
    for (const statement of statements) {
      const { hasFailed, text } = await ask(statement)
      expect([statement, hasFailed || answered.test(statement)]).toEqual([statement, true])
      expect(text).not.toMatch(/SECRET|root:|CREATE VIEW|duckdb_settings\b.*access_mode/)
      if (!hasFailed) expect(text).not.toContain(places.lake)
    }
    expect(await readdir(places.out)).toEqual([])
    expect(await readdir(places.lake)).not.toContain('a.csv')
    expect((await ask('select 40 + 2 as n')).text).toContain('42')
  })
})
