import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SqlSession } from '../../../src/answers/sql/sql-session.ts'
import { sharedViews } from '../../../src/answers/sql/views/lake-views.ts'
import { filesOfSnapshot } from '../../../src/answers/sql/views/snapshot-files.ts'
import { ServiceError } from '../../../src/base/errors.ts'
import { ConfinedSession } from '../../../src/engine/duckdb/confined/confined-session.ts'
import { openLake } from '../../../src/lake/snapshot/lake.ts'
import type { Snapshot } from '../../../src/lake/snapshot/snapshot.ts'
import { contentOf } from '../../support/lakes/lake-content.ts'
import { copySmallLake } from '../../support/lakes/small-lake.ts'
import { makeFolder } from '../../support/temporary-folder.ts'
import { hostileStatements } from './hostile.ts'

let folder: string
let remove: () => Promise<void>
let at: Snapshot
let hostile: readonly string[]
const place = (name: string) => join(folder, name)

beforeAll(async () => {
  ;({ folder, remove } = await makeFolder())
  await copySmallLake(place('lake'))
  cpSync(place('lake'), place('other'), { recursive: true })
  for (const name of ['lake/_keys', 'lake/_state', 'out', 'scratch']) mkdirSync(place(name))
  writeFileSync(place('lake/_keys/keys.ndjson'), '{"name":"SECRET"}\n')
  writeFileSync(place('lake/_state/state.txt'), 'SECRET\n')
  writeFileSync(place('secret.csv'), 'a\nSECRET\n')
  at = await (await openLake(place('lake'))).latest()
  const live = at.tables[0]?.files[0]?.path ?? ''
  const foreign = live.replace(place('lake'), place('other'))
  hostile = hostileStatements({
    lake: place('lake'),
    live,
    secret: place('secret.csv'),
    foreign,
    out: place('out'),
  })
})
afterAll(() => remove())

const openSession = () =>
  SqlSession.open({
    lake: place('lake'),
    at: filesOfSnapshot(at),
    scratchFolder: place('scratch'),
    memoryMb: 256,
    threads: 1,
  })

describe('anything other than a SELECT over the tables', () => {
  it('is refused before planning with a sentence, and leaves no file', async () => {
    const before = contentOf(folder)
    const session = await openSession()
    expect(hostile.length).toBeGreaterThan(130)
    for (const statement of hostile) {
      const error = await session.check(statement).catch((thrown: unknown) => thrown)
      expect(error, statement).toBeInstanceOf(ServiceError)
      const { code, message } = error as ServiceError
      expect([statement, code]).toEqual([statement, 'malformed_request'])
      expect(message, statement).toMatch(
        / is not accepted|; use |contains a NUL|There is no table|Parser Error: /,
      )
      expect(message, statement).not.toMatch(/SECRET/)
    }
    await session.close()
    expect(contentOf(folder)).toEqual(before)
    expect(readdirSync(place('out'))).toEqual([])
  })

  it('opens no other file in the underlying DuckDB, even without the gate', async () => {
    const before = contentOf(folder)
    const session = await ConfinedSession.open({
      files: at.tables.flatMap((table) => table.files.map(({ path }) => path)),
      resultFile: place('scratch/result.parquet'),
      views: sharedViews(filesOfSnapshot(at)),
      spillFolder: place('scratch'),
      memoryMb: 256,
      threads: 1,
    })
    const told: string[] = []
    // Only the gate keeps a live file from being overwritten, and the plan of an export from making its folder.
    for (const statement of hostile.filter(
      (one) => !/^(copy .*month=|export|begin|explain)|profiling/.test(one),
    )) {
      const rows = await session.send(statement).catch((error: Error) => error.message)
      told.push(inspect(rows, { depth: null }))
    }
    session.close()
    expect(told.filter((text) => /Permission Error|disabled/.test(text)).length).toBeGreaterThan(40)
    expect(told.filter((text) => text.includes('SECRET'))).toEqual([])
    expect(contentOf(folder)).toEqual(before)
  })

  it('would be run by a DuckDB without the gate', async () => {
    const own = await makeFolder()
    cpSync(folder, own.folder, { recursive: true })
    const ran: string[] = []
    const instance = await DuckDBInstance.create(':memory:', { autoload_known_extensions: 'false' })
    for (const statement of hostile.map((one) => one.replaceAll(folder, own.folder))) {
      if (/install|^load|secret s|^explain|profiling/.test(statement)) continue
      const connection = await instance.connect()
      await connection.run(
        'CREATE OR REPLACE TABLE makers (name VARCHAR); CREATE OR REPLACE TABLE hotspots AS FROM makers',
      )
      await connection.run(statement).then(
        () => ran.push(statement),
        () => {},
      )
      connection.closeSync()
    }
    instance.closeSync()
    expect(ran.length).toBeGreaterThan(90)
    expect(readdirSync(join(own.folder, 'out')).length).toBeGreaterThan(5)
    await own.remove()
  })
})
