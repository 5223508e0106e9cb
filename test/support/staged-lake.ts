import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { entryPath } from './log-entries.ts'
import { commitFiles, stageFile } from './staged-files.ts'
import { temporaryFolder } from './temporary-folder.ts'

interface StagedLake {
  readonly lake: string
  /** Folder of the table of IoT shares, and where its files are staged. */
  readonly table: string
  readonly staging: string
  /** Path of the log entry of a version. */
  entry(version: number): string
  /** Commits a file of one source. */
  commit(name: string): Promise<ReadonlyMap<string, string>>
}

/** A lake whose table of IoT shares has so many versions, each of one source: `share-0.gz` and so on. */
export async function lakeOf(versions: number): Promise<StagedLake> {
  const lake = await temporaryFolder()
  const [table, staging] = [join(lake, 'iot_reward_shares'), join(lake, '_staging', 'test')]
  await mkdir(staging, { recursive: true })
  async function commit(name: string) {
    const staged = await stageFile(staging, name, [name])
    return await commitFiles(lake, iotRewardShares, [staged], { operation: 'INGEST', runId: 'test' })
  }
  for (let version = 0; version < versions; version += 1) await commit(`share-${version}.gz`)
  return { lake, table, staging, entry: (version) => entryPath(table, version), commit }
}
