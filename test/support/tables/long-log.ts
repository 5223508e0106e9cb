import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { writeFactsFile } from '../../../src/lake/facts/facts-file.ts'
import { writeTags } from '../../../src/lake/facts/file-tags.ts'
import type { SourceInFile } from '../../../src/lake/facts/source.ts'
import { checkpointIfDue } from '../../../src/lake/log/checkpoint.ts'
import { formatActions } from '../../../src/lake/log/table-format.ts'
import { entryPath } from './log-entries.ts'
import { madeUpSource } from './staged-files.ts'

/** Milliseconds since 1970 of the first commit, and between commits. */
export const [FIRST_COMMIT_MS, COMMIT_EVERY_MS] = [Date.UTC(2025, 0, 1), 600_000]

interface LongLog {
  readonly commits: number
  /** Files that are live at the end; each commit adds its part of them and removes the oldest beyond that. */
  readonly live: number
  readonly filesPerCommit?: number
  readonly sourcesPerFile?: number
  /** Commits between checkpoints; another is written five commits before the end. */
  readonly checkpointEvery?: number
}

/**
 * Writes the log of IoT shares as years of commits leave it, with facts for the live files alone, as after a vacuum. There are no
 * data files, so only what the log answers can be asked. Each source pays 1.
 */
export async function writeLongLog(lake: string, { commits, live, ...more }: LongLog): Promise<string> {
  const { filesPerCommit = 1, sourcesPerFile = 1, checkpointEvery = 100 } = more
  const [table, staging] = [join(lake, iotRewardShares.name), join(lake, '_staging', 'made')]
  for (const folder of [join(table, '_delta_log'), join(table, '_facts'), staging])
    mkdirSync(folder, { recursive: true })
  const total = commits * filesPerCommit
  for (let version = 0; version < commits; version += 1) {
    const timestamp = FIRST_COMMIT_MS + version * COMMIT_EVERY_MS
    const lines: object[] = [{ commitInfo: { timestamp, operation: 'WRITE' } }]
    if (version === 0)
      lines.push(...formatActions(iotRewardShares, undefined, { id: 'made-up', createdTime: timestamp }))
    for (let place = 0; place < filesPerCommit; place += 1) {
      const number = version * filesPerCommit + place
      const path = pathOf(number)
      const add = { path, ...fileOf(number), dataChange: true, stats }
      const tags = number >= total - live ? writeOwnFacts(table, number, sourcesPerFile) : goneFacts(number)
      lines.push({ add: { ...add, tags: writeTags('cd'.repeat(32), tags) } })
      if (number >= live)
        lines.push({
          remove: {
            ...{ path: pathOf(number - live), deletionTimestamp: timestamp, dataChange: true },
            ...{ extendedFileMetadata: true, ...fileOf(number - live) },
          },
        })
    }
    writeFileSync(entryPath(table, version), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const isDue = version % checkpointEvery === 0 || version === commits - 6
    if (version > 0 && isDue) await checkpointIfDue(lake, iotRewardShares, noParquet, staging, true)
  }
  return table
}

const noParquet = { writeCheckpoint: (_actions: string, path: string) => writeFile(path, 'no Parquet') }
const stats = `{"numRecords":1,"minValues":{"amount":1},"maxValues":{"amount":1},"nullCount":{${Object.keys(
  iotRewardShares.columns,
)
  .map((name) => `"${name}":0`)
  .join(',')}}}`

const pathOf = (number: number) => `month=2025-01/part-${uuidOf(number)}.parquet`

function fileOf(number: number) {
  return { partitionValues: { month: '2025-01' }, size: 1000 + number, modificationTime: FIRST_COMMIT_MS }
}

const digestOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
const uuidOf = (number: number) =>
  digestOf(String(number)).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5')
const goneFacts = (number: number) => ({ digest: digestOf(`facts ${number}`), bytes: 1000 })

function writeOwnFacts(table: string, number: number, sources: number) {
  const made = Array.from({ length: sources }, (_, place) =>
    sourceOf(`iot_reward_share.${number}-${place}.gz`, place),
  )
  const content = writeFactsFile(pathOf(number), { sources: made, chunks: [] })
  const digest = digestOf(content)
  writeFileSync(join(table, '_facts', `${digest}.json.gz`), content)
  return { digest, bytes: content.length }
}

function sourceOf(name: string, hour: number): SourceInFile {
  const period = BigInt(FIRST_COMMIT_MS + hour * 3_600_000) * 1000n
  const sums = { beacon_amount: 0n, witness_amount: 0n, dc_transfer_amount: 0n, amount: 1n }
  return madeUpSource(name, {
    sha256: digestOf(name),
    groups: [{ period, type: 'operational_reward', rows: 1, sums }],
  })
}
