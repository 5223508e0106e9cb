import type { Resource } from '../../src/catalog/resource.ts'
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
