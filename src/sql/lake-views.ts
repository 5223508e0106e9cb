import { resources } from '../catalog/resources.ts'
import { isReward } from '../derive/flat-columns.ts'
import type { View } from '../engine/duckdb/create-views.ts'
import { compiled, sql } from '../engine/duckdb/sql.ts'
import type { DataFile } from '../lake/data-file.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import { duckdbViews } from './dialects/duckdb-views.ts'
import { rewardSelect, type ViewsOf } from './reward-view.ts'
import { tableSelect } from './table-view.ts'
import { listViews, rewardViewName } from './view-list.ts'

/** Name of the view that says which snapshot the others show. */
export const snapshotView = 'lake_snapshot'

const views: ViewsOf = { dialect: duckdbViews, table: ({ name }) => duckdbViews.identifier(name) }

/** The views over one snapshot in DuckDB: those that every engine gets, then the snapshot itself. */
export function lakeViews(at: Snapshot): readonly View[] {
  const listed = listViews(views, (resource) => tableSelect(resource, at.table(resource).files).text)
  return [...listed.map((view) => ({ ...view, select: compiled(view.select) })), snapshotOf(at)]
}

/** The data files that a statement can read: those of every table whose name stands in it, and of those that joined rewards join. */
export function filesNamedIn(statement: string, at: Snapshot): readonly DataFile[] {
  const text = statement.toLowerCase()
  const joined = resources
    .filter((resource) => isReward(resource) && text.includes(rewardViewName(resource)))
    .map((resource) => rewardSelect(resource, views))
  const named = [text, ...joined].join(' ')
  return resources.filter(({ name }) => named.includes(name)).flatMap((resource) => at.table(resource).files)
}

function snapshotOf({ id }: Snapshot): View {
  const columns = [{ name: 'snapshot', doc: 'Id of the snapshot, as in the header Ledgerlake-Snapshot.' }]
  const doc = 'The snapshot that these views show.'
  return { name: snapshotView, doc, columns, select: sql`SELECT ${id} AS snapshot` }
}
