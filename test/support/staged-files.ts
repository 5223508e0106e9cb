import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Resource } from '../../src/catalog/resource.ts'
import type { SourceInFile } from '../../src/lake/facts/source.ts'
import type { CommitLabel } from '../../src/lake/log/append-entry.ts'
import { findHeldSources } from '../../src/write/ingest/commit/find-held-sources.ts'
import { amendTable, type StagedFile } from '../../src/write/store/amend-table.ts'

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
