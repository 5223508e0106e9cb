import { hasEpochs } from '../../catalog/embeddings.ts'
import { rewardManifests } from '../../catalog/l2/reward-manifests.ts'
import { rowsOf } from '../../catalog/resource.ts'
import type { DataFile } from '../../lake/facts/data-file.ts'
import type { ContentReader } from '../../lake/ports/content-reader.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { lakeStatus } from '../../lake/snapshot/status.ts'
import { type Finding, listed, note } from './finding.ts'

const ROWS_AT_ONCE = 1000

/** Notes the files that manifests name and the lake lacks, and ingested files that no manifest names. */
export async function checkManifests(
  at: Snapshot,
  isSound: (file: DataFile) => boolean,
  reader: ContentReader,
): Promise<readonly Finding[]> {
  const manifests = at.table(rewardManifests)
  const paid = at.tables.filter(({ resource }) => hasEpochs(resource))
  if (!manifests.files.every(isSound)) return []
  const ingested = new Set(paid.flatMap(({ sources }) => [...sources.values()].map(({ name }) => name)))
  const named = new Map<string, string>()
  for (const file of manifests.files)
    for (let first = 0; first < file.rows; first += ROWS_AT_ONCE) {
      const end = Math.min(file.rows, first + ROWS_AT_ONCE)
      const rows = await reader.readStretch(rewardManifests, file, { first, end })
      for (const row of rowsOf(rewardManifests, rows))
        for (const name of row.written_files) named.set(name, row.source_file)
    }
  const absent = [...named.keys()].filter((name) => !ingested.has(name)).sort()
  const findings: Finding[] = []
  const report = (table: string, names: readonly string[], what: string, missing: string) => {
    const repair = `ledgerlake ingest PATH..., with ${missing}`
    if (names.length > 0) findings.push(note('manifest', table, `${what}: ${listed(names)}.`, repair, names))
  }
  const what = `Manifests name ${absent.length} files that are not ingested`
  report(rewardManifests.name, absent, what, 'these files')
  for (const { resource, sources } of paid) {
    const names = [...sources.values()].map(({ name }) => name)
    const unnamed = names.filter((name) => !named.has(name)).sort()
    const missing = 'their manifests; amounts have no token and no price before'
    report(resource.name, unnamed, `No manifest names ${unnamed.length} of its files`, missing)
  }
  return findings
}

/** Notes the days between the first and the last without the end of a period, from the log alone. */
export function missingDays(at: Snapshot): readonly Finding[] {
  const repair = 'ledgerlake ingest PATH..., with the files of these days'
  return lakeStatus(at)
    .tables.filter(({ missingDays: days }) => days.length > 0)
    .map(({ table, missingDays: days }) =>
      note('missing days', table, `No period ends on ${listed(days, 5)}.`, repair),
    )
}
