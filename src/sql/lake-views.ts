import type { Resource } from '../catalog/resource.ts'
import { resources } from '../catalog/resources.ts'
import { type FlatColumn, flatColumns, isReward } from '../derive/flat-columns.ts'
import type { View } from '../engine/duckdb/create-views.ts'
import { type Sql, sql } from '../engine/duckdb/sql.ts'
import type { DataFile } from '../lake/data-file.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import { rewardSelect } from './reward-view.ts'
import { tableSelect } from './table-view.ts'

/** Name of the view that says which snapshot the others show. */
export const snapshotView = 'lake_snapshot'

/** The views over one snapshot: a table each, then the joined rewards, then the snapshot itself. */
export function lakeViews(at: Snapshot): readonly View[] {
  const tables = resources.map((resource) =>
    viewOf(
      resource.name,
      resource.doc,
      ownColumns(resource),
      tableSelect(resource, at.table(resource).files),
    ),
  )
  const rewards = resources
    .filter(isReward)
    .map((resource) =>
      viewOf(
        rewardViewName(resource),
        `${resource.name} with token, price, whole tokens, USD, and the hotspot with its owner and maker.`,
        flatColumns(resource),
        rewardSelect(resource),
      ),
    )
  return [...tables, ...rewards, snapshotOf(at)]
}

/** `iot_reward_shares` -> `iot_rewards`. */
function rewardViewName({ name }: Resource): string {
  return name.replace(/_shares$/, 's')
}

/** The data files that a statement can read: those of every table whose name stands in it, and of those that joined rewards join. */
export function filesNamedIn(statement: string, at: Snapshot): readonly DataFile[] {
  const text = statement.toLowerCase()
  const joined = resources
    .filter((resource) => isReward(resource) && text.includes(rewardViewName(resource)))
    .map((resource) => rewardSelect(resource).text)
  const named = [text, ...joined].join(' ')
  return resources.filter(({ name }) => named.includes(name)).flatMap((resource) => at.table(resource).files)
}

function ownColumns(resource: Resource): readonly FlatColumn[] {
  return flatColumns(resource).filter(({ from }) => from.as === 'column' || from.as === 'partition')
}

function viewOf(name: string, doc: string, columns: readonly FlatColumn[], select: Sql): View {
  return { name, doc, columns: columns.map((column) => ({ name: column.name, doc: column.doc })), select }
}

function snapshotOf({ id }: Snapshot): View {
  const columns = [{ name: 'snapshot', doc: 'Id of the snapshot, as in the header Ledgerlake-Snapshot.' }]
  const doc = 'The snapshot that these views show.'
  return { name: snapshotView, doc, columns, select: sql`SELECT ${id} AS snapshot` }
}
