import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SourceInFile } from '../../src/lake/facts/source.ts'
import type { StagedFile } from '../../src/write/store/amend-table.ts'

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
