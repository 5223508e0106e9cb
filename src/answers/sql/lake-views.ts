import { isReward } from '../../catalog/records/flat-columns.ts'
import { resources } from '../../catalog/resources.ts'
import type { View } from '../../engine/duckdb/confined/create-views.ts'
import { compiled, sql } from '../../engine/duckdb/sql.ts'
import { duckdbViews } from './dialects/duckdb-views.ts'
import { rewardSelect, type ViewsOf } from './reward-view.ts'
import { filesOfTable, type SnapshotFiles, type SqlFile } from './snapshot-files.ts'
import { tableSelect } from './table-view.ts'
import { listViews, rewardViewName } from './view-list.ts'

/** The view that describes the snapshot. */
export const snapshotView = 'lake_snapshot'

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
