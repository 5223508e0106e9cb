import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { amountColumns } from '../../../src/catalog/resource.ts'
import { resources } from '../../../src/catalog/resources.ts'
import { openLake } from '../../../src/lake/snapshot/lake.ts'
import { contentOf } from '../../support/lakes/lake-content.ts'
import { makeLake, thirtyShares } from '../../support/lakes/make-lake.ts'
import { copySmallLake } from '../../support/lakes/small-lake.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { some } from '../../support/some.ts'
import { makeFolder } from '../../support/temporary-folder.ts'

let cwd: string
let remove: () => Promise<void>

beforeAll(async () => {
  const made = await makeFolder()
  cwd = made.folder
  remove = made.remove
  await copySmallLake(join(cwd, 'lake'))
})
afterAll(() => remove())

const write = (out: string) => runMain(['views', '--lake', 'lake', '--out', out], { cwd })

/** Rows of a statement on a DuckDB of its own, which opens the file to read it and loads nothing. */
async function ask(file: string, statement: string): Promise<readonly (readonly unknown[])[]> {
  const instance = await DuckDBInstance.create(file, {
    ...(file === ':memory:' ? {} : { access_mode: 'READ_ONLY' }),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  const connection = await instance.connect()
  try {
    return (await connection.runAndReadAll(statement)).getRowsJS()
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

it('a views file has the counts and sums of the log in any DuckDB, in any folder', async () => {
  const before = contentOf(join(cwd, 'lake'))
  expect(await write('made.duckdb')).toMatchObject({ code: 0, stderr: '' })
  // The catalog of a file is named after it.
  const moved = join(cwd, 'other-name.duckdb')
  renameSync(join(cwd, 'made.duckdb'), moved)
  const at = await (await openLake(join(cwd, 'lake'))).latest()
  expect(await ask(moved, 'FROM lake_snapshot')).toEqual([[at.id]])
  for (const resource of some(resources)) {
    const { rows, statistics } = at.table(resource)
    expect(await ask(moved, `SELECT count(*) FROM ${resource.name}`), resource.name).toEqual([[BigInt(rows)]])
    if (resource.statistics === undefined) continue
    const view = resource.name.replace('_shares', 's')
    const columns = some(amountColumns(resource))
    const sums = columns.map((column) => `coalesce(sum(${column}), 0)::VARCHAR`)
    const told = statistics.sums({ from: 0n, to: 2n ** 62n }, columns)
    expect(await ask(moved, `SELECT ${sums.join()} FROM ${view}`)).toEqual([
      columns.map((column) => String(told[column])),
    ])
  }
  const comments = await ask(
    moved,
    "SELECT comment FROM duckdb_columns() WHERE table_name = 'iot_rewards' AND comment IS NULL",
  )
  expect(comments).toEqual([])
  expect(contentOf(join(cwd, 'lake'))).toEqual(before)
})

it('another run replaces a views file, and refuses to replace any other file', async () => {
  expect((await write('again.duckdb')).code).toBe(0)
  expect((await write('again.duckdb')).code).toBe(0)
  expect(readdirSync(cwd).filter((name) => name.includes('again'))).toEqual(['again.duckdb'])
  writeFileSync(join(cwd, 'notes.txt'), 'mine')
  const refused = await write('notes.txt')
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toContain('--out notes.txt is there already; name another file, or add --force')
  expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toBe('mine')
})

it('a views file returns the same sums after compact, and must be written again after vacuum', async () => {
  const sums = 'SELECT count(*), sum(earned)::VARCHAR FROM iot_rewards'
  // Two commits of a month that is over once a later one has come.
  const made = await makeLake({ 'iot_reward_share.1.gz': thirtyShares('2025-01-02') })
  await made.add({ 'iot_reward_share.2.gz': thirtyShares('2025-01-03') })
  await made.add({ 'iot_reward_share.3.gz': thirtyShares('2025-02-03') })
  const file = join(cwd, 'kept.duckdb')
  const run = async (...words: string[]) =>
    expect(await runMain([...words, '--lake', made.folder], { cwd })).toMatchObject({ code: 0 })
  await run('views', '--out', file)
  expect(await ask(file, sums)).toEqual([[90n, '630']])
  await run('compact')
  expect(await ask(file, sums)).toEqual([[90n, '630']])
  const glob = `read_parquet('${made.folder}/iot_reward_shares/month=*/*.parquet')`
  expect(await ask(':memory:', `SELECT count(*) FROM ${glob}`)).toEqual([[150n]])
  await run('vacuum', '--keep-hours', '0')
  await expect(ask(file, sums)).rejects.toThrow('No files found')
  await run('views', '--out', file)
  expect(await ask(file, sums)).toEqual([[90n, '630']])
})

it('a views file cannot be written to a missing folder', async () => {
  const { code, stderr } = await write('missing/lake.duckdb')
  expect([code, stderr]).toEqual([
    4,
    expect.stringContaining('missing cannot be written: no such file or folder'),
  ])
})
