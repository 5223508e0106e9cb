import { l1Rewards } from '../../../catalog/l1/rewards.ts'
import { isReward } from '../../../catalog/records/flat-columns.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { resources } from '../../../catalog/resources.ts'
import type { RowsTable } from '../../../engine/duckdb/confined/rows-table.ts'
import { type View, writeViewsFile } from '../../../engine/duckdb/confined/views.ts'
import { compiled, sql } from '../../../engine/duckdb/sql.ts'
import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'
import { duckdbViews } from '../dialects/duckdb-views.ts'
import type { ViewText } from '../dialects/view-dialect.ts'
import { daysView, loggedDailyEarnings } from './day-views.ts'
import { logSumsTable } from './log-sums.ts'
import type { ViewsOf } from './reward-view.ts'
import { filesOfSnapshot, filesOfTable, type SnapshotFiles, type SqlFile } from './snapshot-files.ts'
import { boundedSelect, tableSelect } from './table-view.ts'
import { listViews, paidTables } from './view-list.ts'

/** The view that describes the snapshot. */
const snapshotView = 'lake_snapshot'

const table: ViewsOf['table'] = ({ name }) => duckdbViews.identifier(name)

const paidResources = resources.filter((resource) => isReward(resource) || resource === l1Rewards)

const compileView = (view: ViewText): View => ({ ...view, select: compiled(view.select) })

const inBranches = (at: SnapshotFiles, resource: Resource) =>
  boundedSelect(resource, filesOfTable(at, resource))

/** DuckDB views over a snapshot: the shared views, with sums of the log where it has them, and days. */
function lakeViews(at: SnapshotFiles, paid: ViewsOf['paid']): readonly View[] {
  const views = { dialect: duckdbViews, table, paid }
  const logged = [loggedDailyEarnings(views), daysView(views, at.sums)]
  const shared = sharedViews(at, paid).filter(({ name }) => logged.every((view) => view.name !== name))
  return [...shared, ...logged.map(compileView)]
}

/** The views of every engine in DuckDB, and the snapshot itself. Unless given `paid`, the joined views read tables by name. */
export function sharedViews(at: SnapshotFiles, paid: ViewsOf['paid'] = paidByName): readonly View[] {
  const select = (resource: Resource) => tableSelect(resource, filesOfTable(at, resource)).text
  return [...listViews({ dialect: duckdbViews, table, paid }, select).map(compileView), snapshotOf(at)]
}

const paidByName = paidTables(duckdbViews, table)

const branchesName = ({ name }: Resource) => `_${name}_in_branches`

/** Views of a session. Branches take time to plan, so they are made when a statement names them. */
export function sessionViews(at: SnapshotFiles): readonly View[] {
  const hidden = paidResources.map((resource): View => {
    const select = compiled(`SELECT * FROM ${paidByName(resource)}`)
    return { name: branchesName(resource), doc: '', columns: [], select }
  })
  const views = lakeViews(at, (resource) => duckdbViews.identifier(branchesName(resource)))
  const isTable = ({ name }: View) => resources.some((resource) => resource.name === name)
  return [...views.filter(isTable), ...hidden, ...views.filter((view) => !isTable(view))]
}

/** Parts of a session that are made when a statement first names them, by name. */
export function deferredParts(at: SnapshotFiles): ReadonlyMap<string, View | RowsTable> {
  const branches = paidResources.map((resource): View => {
    return { name: branchesName(resource), doc: '', columns: [], select: inBranches(at, resource) }
  })
  return new Map([...branches, logSumsTable(at.sums)].map((part) => [part.name, part]))
}

const namesIn = (text: string) => new Set(text.match(/\w+/g))

/** Names in the SELECT of each view. */
const namesInViews: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  sessionViews({ id: '', tables: {}, sums: {} }).map(({ name, select }) => [name, namesIn(select.text)]),
)

/** Names of a statement and of the views that it reads. */
export function namesReadBy(statement: string): ReadonlySet<string> {
  const names = namesIn(statement.toLowerCase())
  for (const name of names) for (const inView of namesInViews.get(name) ?? []) names.add(inView)
  return names
}

/** Data files of the tables that a statement or its views name. */
export function filesNamedIn(statement: string, at: SnapshotFiles): readonly SqlFile[] {
  const names = namesReadBy(statement)
  return resources.filter(({ name }) => names.has(name)).flatMap((resource) => filesOfTable(at, resource))
}

function snapshotOf({ id }: SnapshotFiles): View {
  const columns = [{ name: 'snapshot', doc: 'Id of the snapshot, as in the header Ledgerlake-Snapshot.' }]
  const doc = 'The snapshot that these views show.'
  return { name: snapshotView, doc, columns, select: sql`SELECT ${id} AS snapshot` }
}

/** Writes a DuckDB file with views over a snapshot. Errors: those of DuckDB. */
export async function writeLakeViews(path: string, at: Snapshot): Promise<void> {
  const files = filesOfSnapshot(at)
  const views = lakeViews(files, (resource) => `(${inBranches(files, resource).text})`)
  await writeViewsFile(path, views, [logSumsTable(files.sums)])
}

/** Recognizes a file of `writeLakeViews` without DuckDB, which another reader may have open. */
export function isViewsFile(content: Buffer): boolean {
  return content.subarray(8, 12).toString() === 'DUCK' && content.includes(snapshotView)
}
