import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { runFolder } from '../../../src/lake/disk/layout.ts'
import { appendEntry, createHere } from '../../../src/lake/log/append-entry.ts'
import { type CheckpointWriter, checkpointIfDue } from '../../../src/lake/log/checkpoint.ts'
import { readTableLog } from '../../../src/lake/log/delta-log.ts'
import type { AddAction } from '../../../src/lake/log/log-actions.ts'
import type { TableLog } from '../../../src/lake/log/table-state.ts'
import { madeUpSource } from '../tables/staged-files.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const label = { operation: 'INGEST', runId: 'test' }

/** Instead of Parquet, for tests of what stands beside it. */
export const noParquet: CheckpointWriter = {
  writeCheckpoint: (actions, path) => copyFile(actions, path),
}

function madeUpAdd(number: number): AddAction {
  return {
    path: `month=2025-01/part-${number}%20of%20many.parquet`,
    partitionValues: { month: '2025-01' },
    size: 1000 + number,
    modificationTime: 1_738_110_600_000,
    dataChange: true,
    stats: `{"numRecords":1,"maxValues":{"amount":18446744073709551${String(number).padStart(3, '0')}}}`,
    tags: {
      'ledgerlake.sha256': 'cd'.repeat(32),
      'ledgerlake.sources': JSON.stringify([madeUpSource(`${number}.gz`)]),
    },
  }
}

/** A table of IoT shares whose commits are entries alone: each adds a file, and every third takes the oldest away. */
export class MadeUpTable {
  readonly lake: string
  readonly table: string
  readonly staging: string
  readonly #writer: CheckpointWriter
  log: TableLog | undefined

  private constructor(lake: string, writer: CheckpointWriter) {
    this.lake = lake
    this.table = join(lake, iotRewardShares.name)
    this.staging = runFolder(lake, label.runId)
    this.#writer = writer
  }

  static async of(commits: number, writer = noParquet): Promise<MadeUpTable> {
    return await MadeUpTable.in(await temporaryFolder(), commits, writer)
  }

  static async in(lake: string, commits: number, writer = noParquet): Promise<MadeUpTable> {
    const made = new MadeUpTable(lake, writer)
    await mkdir(made.staging, { recursive: true })
    await mkdir(join(made.table, '_delta_log'), { recursive: true })
    for (let version = 0; version < commits; version += 1)
      await made.commit({ checkpoints: version % 10 === 0 })
    return made
  }

  async commit({ checkpoints = true } = {}): Promise<void> {
    const { lake, table, staging } = this
    const number = (this.log?.version ?? -1) + 1
    const removes = number % 3 === 2 ? [...(this.log?.live.values() ?? [])].slice(0, 1) : []
    const change = { removes, adds: [madeUpAdd(number)], dataChange: true }
    const create = createHere(lake, iotRewardShares, label.runId)
    if (!(await appendEntry(iotRewardShares, this.log, change, label, create))) throw new Error('no commit')
    if (checkpoints) await checkpointIfDue(lake, iotRewardShares, this.#writer, staging)
    this.log = await readTableLog(table, { from: this.log })
  }
}
