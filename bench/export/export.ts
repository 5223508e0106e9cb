import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { tableFromIPC } from 'apache-arrow'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { residentMb } from '../overload/watch.ts'
import { cpuSeconds } from '../support/cpu-seconds.ts'
import { ingestNetwork } from '../support/make-lake.ts'
import { quickTry, thirtyDays } from '../support/network.ts'
import { serveLake } from '../support/program.ts'
import { report, resultOf } from '../support/results.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type ExportCase, exportTable } from './table.ts'

/**
 * Whole lists over loopback, beside DuckDB's own COPY of the same stored columns to a file. Rows and sums are compared first, whatever
 * is read back. `--lake` takes a lake that is there already, and writes no result.
 */

const { values: flags } = parseArgs({
  options: { small: { type: 'boolean', default: false }, lake: { type: 'string' } },
})
const parent = temporaryFolder()
const lake = flags.lake ?? (await ingestNetwork(parent, flags.small ? quickTry : thirtyDays))
const table = (await new Lake(lake).latest()).table(iotRewardShares)
const names = Object.keys(iotRewardShares.columns)
const files = table.files.map(({ path }) => `'${path.replaceAll("'", "''")}'`).join(', ')
const own = `SELECT ${names.join(', ')} FROM read_parquet([${files}], hive_partitioning = false)`
const database = await (await DuckDBInstance.create()).connect()
const server = await serveLake(lake)
const address = `${server.address}/v1/net/l2/iot-reward-shares?from=2000-01-01&to=2100-01-01&columns=`
const sums =
  'count(*)::VARCHAR AS rows, sum(beacon_amount::HUGEINT)::VARCHAR AS beacons, sum(witness_amount::HUGEINT)::VARCHAR AS witnesses'

/** How DuckDB writes and reads a format. */
const duckdbFormats: Readonly<Record<string, { readonly copy: string; readonly read: string }>> = {
  ndjson: { copy: 'FORMAT json', read: 'read_json' },
  csv: { copy: 'FORMAT csv', read: 'read_csv' },
  parquet: { copy: 'FORMAT parquet', read: 'read_parquet' },
}
const cases: ExportCase[] = []
for (const format of ['ndjson', 'csv', 'arrow', 'parquet']) {
  const known = duckdbFormats[format]
  const copy = known === undefined ? null : await copied(format, known.copy)
  if (known === undefined) await compareArrow()
  else await compare(format, known.read)
  for (const columns of ['stored', 'all'] as const) {
    const taken = await take(`${address}${columns === 'all' ? '' : names.join(',')}&format=${format}`)
    cases.push({ format, columns, rows: table.rows, ...taken, copy: columns === 'stored' ? copy : null })
  }
}
await server.stop()
const result = resultOf('export', [flags.small ? quickTry : thirtyDays], cases)
report(result, exportTable(result), !flags.small && flags.lake === undefined)

/** Seconds of the processor and resident megabytes of the server so far. */
function used(): { readonly cpu: number; readonly mb: number } {
  return { cpu: cpuSeconds(server.pid), mb: residentMb([server.pid]) }
}

/** The longest hold of the event loop since the last time it was asked for. */
async function longestHoldMs(): Promise<number> {
  const metrics = await (await fetch(`${server.address}/metrics`)).text()
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(metrics)?.[1]) * 1000
}

async function take(url: string): Promise<Omit<ExportCase, 'format' | 'columns' | 'rows' | 'copy'>> {
  await longestHoldMs()
  const before = used()
  const begun = performance.now()
  let [bytes, firstByteMs, most] = [0, 0, 0]
  const sample = setInterval(() => {
    most = Math.max(most, used().mb)
  }, 20)
  const sent = request(url).end()
  const [reply] = await once(sent, 'response')
  for await (const piece of reply) {
    if (bytes === 0) firstByteMs = performance.now() - begun
    bytes += piece.length
  }
  clearInterval(sample)
  const seconds = (performance.now() - begun) / 1000
  const after = used()
  const growthMb = Math.max(most, after.mb) - before.mb
  return {
    ...{ bytes, seconds, cpuSeconds: after.cpu - before.cpu, firstByteMs },
    ...{ longestHoldMs: await longestHoldMs(), growthMb },
  }
}

async function copied(format: string, options: string): Promise<ExportCase['copy']> {
  const path = join(parent, `copy.${format}`)
  const [before, begun] = [process.cpuUsage(), performance.now()]
  await database.run(`COPY (${own}) TO '${path}' (${options})`)
  const seconds = (performance.now() - begun) / 1000
  const { user, system } = process.cpuUsage(before)
  return { bytes: readFileSync(path).length, seconds, cpuSeconds: (user + system) / 1e6 }
}

async function taken(format: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(`${address}${names.join(',')}&format=${format}`)).arrayBuffer())
}

/** Errors: Error when the file of the server and the files of the lake differ in rows or sums. */
async function compare(format: string, read: string): Promise<void> {
  const path = join(parent, `taken.${format}`)
  await writeFile(path, await taken(format))
  await isSame(format, await sumsOf(`${read}('${path}')`))
}

async function compareArrow(): Promise<void> {
  const arrow = tableFromIPC(await taken('arrow'))
  const sum = (name: string) => {
    let total = 0n
    for (const value of arrow.getChild(name) ?? []) total += (value ?? 0n) as bigint
    return String(total)
  }
  await isSame('arrow', [
    { rows: String(arrow.numRows), beacons: sum('beacon_amount'), witnesses: sum('witness_amount') },
  ])
}

async function sumsOf(from: string): Promise<unknown> {
  return (await database.runAndReadAll(`SELECT ${sums} FROM ${from}`)).getRowObjectsJS()
}

async function isSame(format: string, ours: unknown): Promise<void> {
  const theirs = await sumsOf(`(${own})`)
  if (JSON.stringify(theirs) !== JSON.stringify(ours))
    throw new Error(`${format}: ${JSON.stringify(ours)}, and the lake has ${JSON.stringify(theirs)}`)
}
