import { deepStrictEqual } from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createGunzip } from 'node:zlib'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../../src/catalog/l2/mobile-reward-shares.ts'
import { openLake } from '../../src/lake/snapshot/lake.ts'
import type { Snapshot } from '../../src/lake/snapshot/snapshot.ts'
import type { IngestSummary } from '../../src/write/ingest/ingest-counts.ts'
import { checkFacts, type Facts, generatedFacts, storedFacts } from '../support/facts.ts'
import { millionKeys, quickTry, thirtyDays, type Workload, writeOracleFiles } from '../support/network.ts'
import { program, runToEnd } from '../support/program.ts'
import { report, resultOf } from '../support/results.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type IngestCase, type IngestRun, ingestTables } from './table.ts'

/** Ingest by the built program as a process of its own: from gzip files to committed tables. */

const RUNS = 3
const { values: flags } = parseArgs({ options: { small: { type: 'boolean', default: false } } })
const parent = temporaryFolder()

const workloads = flags.small ? [quickTry] : [thirtyDays, millionKeys]
const cases: IngestCase[] = []
for (const workload of workloads) cases.push(await measure(workload))
const result = resultOf('ingest', workloads, cases)
report(result, ingestTables(result), !flags.small)

async function measure(workload: Workload): Promise<IngestCase> {
  const { folder, ...input } = await writeOracleFiles(parent, workload)
  const generated = generatedFacts(workload)
  const lake = join(parent, 'lake')
  const runs: IngestRun[] = []
  const gunzipSeconds: number[] = []
  let stored: Snapshot | undefined
  for (let round = 1; round <= RUNS; round += 1) {
    gunzipSeconds.push(await timeGunzip(folder))
    await rm(lake, { recursive: true, force: true })
    const first = await ingestInto(lake, folder)
    stored = await checkStored(lake, first.summary, input.files, generated)
    const again = await ingestInto(lake, folder)
    await checkNothingStored(lake, again.summary, input.files, stored)
    runs.push({ ...first.figures, again: { seconds: again.figures.seconds, peakMb: again.figures.peakMb } })
    console.log(`${workload.name}, run ${round}: checked; ${first.figures.seconds.toFixed(1)} s`)
  }
  await rm(folder, { recursive: true })
  const files = [iotRewardShares, mobileRewardShares].flatMap((table) => stored?.table(table).files ?? [])
  return {
    workload,
    input,
    rows: sumOf([...generated].filter(([name]) => /^\w+ rows$/.test(name)).map(([, rows]) => Number(rows))),
    bytesPerShare: sumOf(files.map((file) => file.bytes)) / input.shares,
    factsChecked: generated.size,
    gunzipSeconds,
    runs,
  }
}

async function ingestInto(lake: string, folder: string) {
  const { stdout, ...figures } = await runToEnd([program, 'ingest', folder, '--lake', lake, '--json'])
  return { figures, summary: JSON.parse(stdout) as IngestSummary }
}

async function checkStored(
  lake: string,
  summary: IngestSummary,
  files: number,
  generated: Facts,
): Promise<Snapshot> {
  deepStrictEqual([summary.stored, summary.failed, summary.unknown, summary.refusedRows], [files, [], [], 0])
  const at = await (await openLake(lake)).latest()
  checkFacts(storedFacts(at), generated)
  return at
}

async function checkNothingStored(lake: string, summary: IngestSummary, files: number, before: Snapshot) {
  deepStrictEqual([summary.stored, summary.skipped, summary.rows], [0, files, 0])
  deepStrictEqual((await (await openLake(lake)).latest()).id, before.id)
}

/** The least that any reader of these files has to do. */
async function timeGunzip(folder: string): Promise<number> {
  const paths = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.gz'))
  const started = performance.now()
  for (const path of paths) {
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
    await pipeline(createReadStream(join(folder, path)), createGunzip({ chunkSize: 256 * 1024 }), nowhere)
  }
  return (performance.now() - started) / 1000
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
