import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import type { Resource } from '../../../src/catalog/resource.ts'
import type { SourceInFile } from '../../../src/lake/facts/source.ts'
import type { CommitLabel } from '../../../src/lake/log/append-entry.ts'
import { findHeldSources } from '../../../src/write/ingest/commit/find-held-sources.ts'
import { amendTable, type StagedFile } from '../../../src/write/store/amend-table.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { entryPath } from './log-entries.ts'

/**
 * Adds staged files to a table unless it has one of their sources; gives those that it has, as key and SHA-256.
 */
export async function commitFiles(
  lake: string,
  resource: Resource,
  staged: readonly StagedFile[],
  label: CommitLabel,
): Promise<ReadonlyMap<string, string>> {
  let taken: ReadonlyMap<string, string> = new Map()
  const arriving = staged.flatMap(({ sources }) => sources.map((source) => ({ source, replaces: false })))
  await amendTable(lake, resource, label, async (table) => {
    taken = findHeldSources(table, arriving)
    return { stale: [], staged: taken.size === 0 ? staged : [] }
  })
  return taken
}

/** A source of one row, as a staged file carries it. */
export function madeUpSource(name: string, more: Partial<SourceInFile> = {}): SourceInFile {
  return {
    kind: 'iot_reward_share',
    name,
    sha256: 'ab'.repeat(32),
    rows: 1,
    refused: 0,
    groups: [],
    ...more,
  }
}

/** A file in the folder of a run, for the table of IoT shares. Its content stands for Parquet: a commit never looks inside. */
export async function stageFile(
  folder: string,
  fileName: string,
  sourceNames: readonly string[],
  month = '2025-01',
): Promise<StagedFile> {
  const path = join(folder, 'iot_reward_shares', `month=${month}`, `part-${fileName}.parquet`)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, `rows of ${sourceNames.join(', ')}`)
  return {
    path,
    partition: month,
    facts: { rows: sourceNames.length, sources: [], columns: {}, chunks: [] },
    sources: sourceNames.map((name) => madeUpSource(name)),
  }
}

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
