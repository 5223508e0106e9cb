import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { openTwo } from '../../src/engine/duckdb/instances/open-instance.ts'
import { openDuckdbEngine } from '../../src/engine/duckdb/queries/duckdb-engine.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import type { Snapshot } from '../../src/lake/snapshot/snapshot.ts'
import { openServices } from '../../src/services/services.ts'
import { readSettings } from '../../src/services/settings/settings.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { filesBelow } from '../support/lakes/leftovers.ts'
import { craftArtifact, oneDay } from '../support/messages/craft-artifacts.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let home = ''
let lake = ''
let table = ''
let file = ''
let snapshot: Snapshot
let opened: Awaited<ReturnType<typeof openTwo>>

beforeAll(async () => {
  home = await temporaryFolder()
  lake = join(home, 'lake')
  mkdirSync(join(home, 'in'))
  craftArtifact(join(home, 'in'), 'iot_reward_share', 1_738_110_600_000, [
    { ...oneDay, reward_type: 'operational_reward', amount: 5n },
  ])
  await ingestInto(lake, [join(home, 'in')])
  snapshot = await new Lake(lake).latest()
  file = snapshot.table(iotRewardShares).files[0]?.path ?? ''
  table = join(lake, 'iot_reward_shares')
  for (const folder of ['_keys', '_state', '_readers']) mkdirSync(join(lake, folder), { recursive: true })
  for (const path of ['_keys/keys.csv', '_state/counts.csv', '_readers/a.csv'])
    writeFileSync(join(lake, path), 'secret\n1\n')
  opened = await openTwo({
    ...{ folders: [table], spillFolder: join(home, 'spill'), memoryMb: 256, spillMb: 40, threads: 1 },
    connections: 1,
  })
})

afterAll(async () => {
  for (const pool of opened) await pool.close()
})

/** What both engines of a server say of a statement, as one reads it and as rows that are asked for. */
async function said(text: string): Promise<readonly string[]> {
  const sentences: string[] = []
  for (const pool of opened) {
    const whole = async () => void (await pool.run({ text, values: [] }))
    const streamed = async () => {
      for await (const rows of pool.stream({ text, values: [] })) rows.length
    }
    for (const answer of [whole, streamed])
      sentences.push(
        await answer().then(
          () => 'ran',
          (error) => String(error.message),
        ),
      )
  }
  return sentences
}

const into = (name: string) => `'${join(table, name)}'`
const kinds = () => [
  ['COPY', `COPY (SELECT 1) TO ${into('out.csv')}`],
  ['EXPORT', `EXPORT DATABASE ${into('out')}`],
  ['ATTACH', `ATTACH ${into('out.db')}`],
  ['EXPLAIN', `EXPLAIN ANALYZE COPY (SELECT 1) TO ${into('out.csv')}`],
  ['PREPARE', `PREPARE p AS COPY (SELECT 1) TO ${into('out.csv')}`],
  ['CREATE', 'CREATE TABLE t AS SELECT 1'],
  ['CREATE', 'CREATE VIEW v AS SELECT 1'],
  ['SET', 'SET threads = 4'],
  ['SET', 'USE memory'],
  ['LOAD', 'INSTALL httpfs'],
  ['LOAD', 'LOAD httpfs'],
  ['CALL', 'CHECKPOINT'],
  ['VACUUM', 'VACUUM'],
  ['TRANSACTION', 'BEGIN'],
]

describe('the engine of a server', () => {
  it('runs one SELECT, and no statement that writes, attaches or changes settings', async () => {
    const before = filesBelow(home)
    expect(await said('SELECT 1 AS one')).toEqual(['ran', 'ran', 'ran', 'ran'])
    expect(kinds()).toHaveLength(14)
    for (const [kind, text] of kinds())
      expect([text, ...(await said(text ?? ''))]).toEqual([
        text,
        // Rows that are asked for are those of a SELECT around the statement.
        ...[0, 1].flatMap(() => [
          expect.stringContaining(`of the kind ${kind} does not run here`),
          expect.stringMatching(/syntax error/),
        ]),
      ])
    const several = [`SELECT 1; COPY (SELECT 1) TO ${into('out.csv')}`, 'SELECT 1; SELECT 2']
    for (const text of several)
      for (const sentence of await said(text)) expect(sentence).toMatch(/multiple statements|syntax error/)
    expect(filesBelow(home)).toEqual(before)
  })

  it('cannot read keys, state, reader declarations or files outside the lake', async () => {
    for (const path of [
      '_keys/keys.csv',
      '_state/counts.csv',
      '_readers/a.csv',
      '../in',
      'iot_reward_shares/../_keys/keys.csv',
    ])
      for (const read of ['read_csv', 'read_text', 'read_blob', 'glob'])
        for (const sentence of await said(`SELECT * FROM ${read}('${lake}/${path}*')`))
          expect([path, read, sentence]).toEqual([
            path,
            read,
            expect.stringContaining('leads to a file outside the lake'),
          ])
    for (const sentence of await said(`SELECT count(*) AS rows FROM read_parquet('${file}')`))
      expect(sentence).toBe('ran')
  })

  it('is opened with these limits by the program, and spills no more than its setting', async () => {
    const create = vi.spyOn(DuckDBInstance, 'create')
    onTestFinished(() => create.mockRestore())
    const services = await openServices(
      readSettings({}, { lake, engine_memory_mb: '256', engine_spill_mb: '100' }),
    )
    onTestFinished(services.close)
    const limits = create.mock.calls.map(([, options]) => options?.max_temp_directory_size)
    expect(limits.sort()).toEqual(['25MB', '75MB'])
    for (const { value } of create.mock.results) {
      const connection = await (await value).connect()
      for (const path of ['_keys/keys.csv', '_state/counts.csv', '_readers/a.csv'])
        await expect(connection.run(`SELECT * FROM read_text('${join(lake, path)}')`)).rejects.toThrow(
          /^Permission Error/,
        )
      connection.closeSync()
    }
    expect(create.mock.results).toHaveLength(2)
    expect(
      await services.engine.count({ resource: iotRewardShares, where: [] }, await services.lake.latest()),
    ).toBe(1)
  })
})

describe('a data file that is', () => {
  const outside = () => join(home, 'elsewhere.parquet')
  const places: readonly (readonly [string, () => void, string])[] = [
    ['a link to the outside', () => symlinkSync(outside(), file), 'is a symbolic link'],
    [
      'a link to another file of the lake',
      () => {
        renameSync(outside(), join(table, 'part-other.parquet'))
        symlinkSync(join(table, 'part-other.parquet'), file)
      },
      'is a symbolic link',
    ],
    ['a link to a device that never ends', () => symlinkSync('/dev/zero', file), 'is a symbolic link'],
    ['a pipe', () => execFileSync('mkfifo', [file]), 'is not a regular file'],
    ['a folder', () => mkdirSync(file), 'is not a regular file'],
    [
      'in a folder that is a link',
      () => {
        const month = dirname(file)
        mkdirSync(join(home, 'month'))
        renameSync(outside(), join(home, 'month', file.slice(month.length + 1)))
        rmSync(month, { recursive: true })
        symlinkSync(join(home, 'month'), month)
      },
      'lies behind a symbolic link',
    ],
  ]

  it.each(places)('%s is refused by name, and not read', async (_, put, told) => {
    const month = dirname(file)
    const kept = readdirSync(month)
    renameSync(file, outside())
    put()
    onTestFinished(async () => {
      const back = [outside(), join(table, 'part-other.parquet'), join(home, 'month', kept[0] ?? '')]
      const [found = ''] = back.filter((path) =>
        filesBelow(dirname(path)).includes(path.slice(dirname(path).length + 1)),
      )
      renameSync(found, join(home, 'back'))
      rmSync(month, { recursive: true })
      rmSync(join(home, 'month'), { recursive: true, force: true })
      mkdirSync(month)
      renameSync(join(home, 'back'), file)
    })
    const limits = { memoryMb: 256, threads: 1, connections: 1 }
    const engine = await openDuckdbEngine({
      lake,
      folders: [table],
      spillFolder: join(home, 'spill'),
      ...limits,
    })
    onTestFinished(engine.close)
    const asked = [{ resource: iotRewardShares, where: [] }, snapshot] as const
    const fault = { code: 'lake_damaged', message: expect.stringContaining(`${file} ${told};`) }
    await expect(engine.count(...asked)).rejects.toMatchObject(fault)
    const batches = engine.rowBatches({ ...asked[0], columns: ['amount'] }, snapshot)
    await expect(batches[Symbol.asyncIterator]().next()).rejects.toMatchObject(fault)
  })
})
