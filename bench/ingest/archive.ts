import { deepStrictEqual } from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import type { IngestSummary } from '../../src/write/ingest/ingest-counts.ts'
import { openArchive } from '../lists/archive-database.ts'
import { whole } from '../support/markdown.ts'
import { program, runToEnd } from '../support/program.ts'
import { report, resultOf } from '../support/results.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type ArchiveCase, archiveTable } from './archive-table.ts'

/** Tables of a made-up ledger archive, ingested by the built program as a process of its own. */

const RUNS = 3
const { values: flags } = parseArgs({ options: { small: { type: 'boolean', default: false } } })
const transactions = flags.small ? 20_000 : 500_000
const parent = temporaryFolder()
const archive = join(parent, 'archive')
const sizes = ['--transactions', String(transactions), '--hotspots', String(transactions / 5)]
await runToEnd([program, 'sample', '--l1', '--out', archive, ...sizes])
const database = await openArchive(archive, join(parent, 'archive.duckdb'))

/** Each folder, and expressions over its rows that a wrong cell would change; the archive's names and the lake's. */
const tables = [
  [
    'rewards',
    'sum(block)',
    'sum(amount)',
    'sum(time)',
    'bit_xor(hash(transaction_hash, type, account, gateway))',
  ],
  ['transaction_actors', 'sum(block)', 'bit_xor(hash(transaction_hash, actor_role, actor))'],
  ['transactions', 'sum(block)', 'sum(time)', 'bit_xor(hash(hash, type, fields))'],
] as const
/** Names in the lake of what the archive calls otherwise. */
const views = {
  rewards: 'SELECT *, account_address AS account, gateway_address AS gateway FROM stored',
  transaction_actors: 'SELECT *, actor_address AS actor FROM stored',
  transactions: 'SELECT *, transaction_hash AS hash FROM stored',
} as const

const cases: ArchiveCase[] = []
for (const [table, ...facts] of tables) cases.push(await measure(table, ['count(*)', ...facts]))
database.close()
const workload = { name: `${whole(transactions)} transactions`, days: 0, hotspots: 0, seed: '1' }
const result = resultOf('archive', [workload], cases)
report(result, archiveTable(result), !flags.small)

async function measure(table: keyof typeof views, facts: readonly string[]): Promise<ArchiveCase> {
  const folder = join(archive, 'blockchain-etl-export', table)
  const columns = facts.map((fact, at) => `(${fact})::VARCHAR AS "${at}"`).join(', ')
  const [expected] = await database.select(`SELECT ${columns} FROM ${table}`)
  const runs: ArchiveCase['runs'][number][] = []
  let storedBytes = 0
  let rows = 0
  for (let round = 1; round <= RUNS; round += 1) {
    const lake = join(parent, `lake-${round}`)
    const state = join(parent, `state-${round}`)
    const { stdout, peakMb } = await runToEnd([
      program,
      'ingest',
      folder,
      '--lake',
      lake,
      '--state',
      state,
      '--json',
    ])
    const summary = JSON.parse(stdout) as IngestSummary
    deepStrictEqual([summary.failed, summary.refusedRows], [[], 0])
    deepStrictEqual(await storedFacts(join(lake, `l1_${table}`), views[table], columns), expected)
    runs.push({ seconds: summary.seconds, peakMb })
    storedBytes = bytesBelow(join(lake, `l1_${table}`))
    rows = summary.rows
    for (const made of [lake, state]) await rm(made, { recursive: true, force: true })
    console.log(`${table}, run ${round}: checked; ${whole(rows / summary.seconds)} rows/s`)
  }
  return { table, rows, gzipBytes: bytesBelow(folder), storedBytes, runs }
}

/** Read by a plain engine of its own; a fresh lake has no file that its log does not name. */
async function storedFacts(folder: string, view: string, columns: string): Promise<unknown> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const stored = `stored AS (FROM read_parquet('${folder}/*/*.parquet', hive_partitioning = false))`
  const reader = await connection.runAndReadAll(
    `WITH ${stored}, named AS (${view}) SELECT ${columns} FROM named`,
  )
  const [row] = reader.getRowObjectsJS()
  connection.closeSync()
  instance.closeSync()
  return row
}

function bytesBelow(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(parquet|gz)$/.test(name),
  )
  return files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}
