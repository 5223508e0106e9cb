import { isReward } from '../../catalog/records/flat-columns.ts'
import { resources } from '../../catalog/resources.ts'
import { type View, writeViewsFile } from '../../engine/duckdb/confined/views.ts'
import { compiled, sql } from '../../engine/duckdb/sql.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { duckdbViews } from './dialects/duckdb-views.ts'
import { rewardSelect, type ViewsOf } from './reward-view.ts'
import { filesOfSnapshot, filesOfTable, type SnapshotFiles, type SqlFile } from './snapshot-files.ts'
import { tableSelect } from './table-view.ts'
import { listViews, rewardViewName } from './view-list.ts'

/** The view that describes the snapshot. */
const snapshotView = 'lake_snapshot'

const views: ViewsOf = { dialect: duckdbViews, table: ({ name }) => duckdbViews.identifier(name) }

/** DuckDB views over a snapshot: the shared views, then the snapshot itself. */
export function lakeViews(at: SnapshotFiles): readonly View[] {
  const listed = listViews(views, (resource) => tableSelect(resource, filesOfTable(at, resource)).text)
  return [...listed.map((view) => ({ ...view, select: compiled(view.select) })), snapshotOf(at)]
}

/** Data files that a statement may read: tables named in it, and tables joined by a reward view. */
export function filesNamedIn(statement: string, at: SnapshotFiles): readonly SqlFile[] {
  const text = statement.toLowerCase()
  const joined = resources
    .filter((resource) => isReward(resource) && text.includes(rewardViewName(resource)))
    .map((resource) => rewardSelect(resource, views))
  const named = [text, ...joined].join(' ')
  return resources
    .filter(({ name }) => named.includes(name))
    .flatMap((resource) => filesOfTable(at, resource))
}

function snapshotOf({ id }: SnapshotFiles): View {
  const columns = [{ name: 'snapshot', doc: 'Id of the snapshot, as in the header Ledgerlake-Snapshot.' }]
  const doc = 'The snapshot that these views show.'
  return { name: snapshotView, doc, columns, select: sql`SELECT ${id} AS snapshot` }
}

/** Writes a DuckDB file with views over a snapshot. Errors: those of DuckDB. */
export async function writeLakeViews(path: string, at: Snapshot): Promise<void> {
  await writeViewsFile(path, lakeViews(filesOfSnapshot(at)))
}

/** Recognizes a file of `writeLakeViews` without DuckDB, which another reader may have open. */
export function isViewsFile(content: Buffer): boolean {
  return content.subarray(8, 12).toString() === 'DUCK' && content.includes(snapshotView)
}
