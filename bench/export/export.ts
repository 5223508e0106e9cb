import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { Lake } from '../../src/lake/lake.ts'
import { markdownTable } from '../support/markdown.ts'
import { quickTry, thirtyDays, writeOracleFiles } from '../support/network.ts'
import { program, runToEnd, startServing } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/**
 * Whole lists over loopback, beside DuckDB's own COPY of the same stored columns to a file. Rows and sums are compared first. Seconds of
 * the processor are those of the server's process, since the caller runs on the same machine. `--lake` takes a lake that is there already.
 */

const { values: flags } = parseArgs({
  options: { small: { type: 'boolean', default: false }, lake: { type: 'string' } },
})
const parent = temporaryFolder()
const lake = flags.lake ?? join(parent, 'lake')
if (flags.lake === undefined) {
  const { folder } = await writeOracleFiles(parent, flags.small ? quickTry : thirtyDays)
  await runToEnd([program, 'ingest', folder, '--lake', lake])
}
const table = (await new Lake(lake).latest()).table(iotRewardShares)
const names = Object.keys(iotRewardShares.columns)
const files = table.files.map(({ path }) => `'${path.replaceAll("'", "''")}'`).join(', ')
const own = `SELECT ${names.join(', ')} FROM read_parquet([${files}], hive_partitioning = false)`
const database = await (await DuckDBInstance.create()).connect()
const server = await startServing([program, 'serve', '--lake', lake, '--port', '0'])
const address = `${server.address}/v1/net/l2/iot-reward-shares?from=2000-01-01&to=2100-01-01&columns=`
const sums =
  'count(*)::VARCHAR AS rows, sum(beacon_amount)::VARCHAR AS beacons, sum(witness_amount)::VARCHAR AS witnesses'

const copies: Readonly<Record<string, string>> = {
  ndjson: 'FORMAT json',
  csv: 'FORMAT csv',
  parquet: 'FORMAT parquet',
}
const results: string[][] = []
for (const format of ['ndjson', 'csv', 'arrow', 'parquet']) {
  const copy = copies[format] === undefined ? undefined : await copied(format, copies[format])
  if (format === 'csv' || format === 'parquet') await compare(format)
  for (const columns of ['stored', 'all'] as const) {
    const taken = await take(`${address}${columns === 'all' ? '' : names.join(',')}&format=${format}`)
    const beside = columns === 'stored' && copy !== undefined ? copy : ['-', '-']
    results.push([format, columns, ...taken, ...beside])
  }
}
await server.stop()
const head = [
  'format',
  'columns',
  'MB',
  's',
  'MB/s',
  'CPU s',
  'MB per CPU s',
  'first byte ms',
  'growth MB',
  'COPY MB',
  'COPY s',
]
console.log(`${table.rows} rows of ${table.files.length} files`)
console.log(markdownTable(head, results))

/** Seconds of the processor and resident megabytes of the server so far. */
function used(): { readonly cpu: number; readonly mb: number } {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]
  return { cpu: (Number(fields[11]) + Number(fields[12])) / 100, mb: Number(resident) / 1024 }
}

async function take(url: string): Promise<readonly string[]> {
  const before = used()
  const begun = performance.now()
  let [bytes, first, most] = [0, 0, 0]
  const sent = request(url).end()
  const [reply] = await once(sent, 'response')
  for await (const piece of reply) {
    if (bytes === 0) first = performance.now() - begun
    bytes += piece.length
    if (bytes % 100 === 0) most = Math.max(most, used().mb)
  }
  const seconds = (performance.now() - begun) / 1000
  const after = used()
  const cpu = after.cpu - before.cpu
  const growth = Math.max(most, after.mb) - before.mb
  const mb = bytes / 1e6
  return [mb, seconds, mb / seconds, cpu, mb / cpu, first, growth].map((value) =>
    value.toFixed(value < 10 ? 1 : 0),
  )
}

async function copied(format: string, options: string): Promise<readonly string[]> {
  const path = join(parent, `copy.${format}`)
  const begun = performance.now()
  await database.run(`COPY (${own}) TO '${path}' (${options})`)
  const seconds = (performance.now() - begun) / 1000
  return [(readFileSync(path).length / 1e6).toFixed(0), seconds.toFixed(1)]
}

/** Errors: Error when the file of the server and the files of the lake differ in rows or sums. */
async function compare(format: 'csv' | 'parquet'): Promise<void> {
  const path = join(parent, `taken.${format}`)
  await writeFile(
    path,
    Buffer.from(await (await fetch(`${address}${names.join(',')}&format=${format}`)).arrayBuffer()),
  )
  const sumsOf = async (from: string) =>
    (await database.runAndReadAll(`SELECT ${sums} FROM ${from}`)).getRowObjectsJS()
  const read = format === 'csv' ? 'read_csv' : 'read_parquet'
  const [theirs, ours] = [await sumsOf(`(${own})`), await sumsOf(`${read}('${path}')`)]
  if (JSON.stringify(theirs) !== JSON.stringify(ours))
    throw new Error(`${format}: ${JSON.stringify(ours)}, and the lake has ${JSON.stringify(theirs)}`)
}
