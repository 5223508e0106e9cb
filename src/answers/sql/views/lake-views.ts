import { l1Rewards } from '../../../catalog/l1/rewards.ts'
import { isReward } from '../../../catalog/records/flat-columns.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { resources } from '../../../catalog/resources.ts'
import type { ConfinedSession } from '../../../engine/duckdb/confined/confined-session.ts'
import { type View, writeViewsFile } from '../../../engine/duckdb/confined/views.ts'
import { compiled, sql } from '../../../engine/duckdb/sql.ts'
import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'
import { duckdbViews } from '../dialects/duckdb-views.ts'
import type { ViewText } from '../dialects/view-dialect.ts'
import { daysView, loggedDailyEarnings } from './day-views.ts'
import { LOG_SUMS, logSumsTable } from './log-sums.ts'
import { hotspotOfKey, manifestOfFile, type ViewsOf } from './reward-view.ts'
import { filesOfSnapshot, filesOfTable, type SnapshotFiles, type SqlFile } from './snapshot-files.ts'
import { boundedSelect, tableSelect } from './table-view.ts'
import { listViews, viewsOver } from './view-list.ts'

/** The view that describes the snapshot. */
const snapshotView = 'lake_snapshot'

const table: ViewsOf['table'] = ({ name }) => duckdbViews.identifier(name)

const paidResources = resources.filter((resource) => isReward(resource) || resource === l1Rewards)

const compileView = (view: ViewText): View => ({ ...view, select: compiled(view.select) })

const inBranches = (at: SnapshotFiles, resource: Resource, tellsRows: boolean) =>
  boundedSelect(resource, filesOfTable(at, resource), { tellsRows })

/** Views of DuckDB that read sums of the log where it has them, and days. */
const logViews = (views: ViewsOf, at: SnapshotFiles) => [loggedDailyEarnings(views), daysView(views, at.sums)]

/** DuckDB views over a snapshot: the shared views, and `logged` in place of those of the same name. */
function lakeViews(at: SnapshotFiles, views: ViewsOf, logged: readonly ViewText[]): readonly View[] {
  const shared = sharedViews(at, views).filter(({ name }) => logged.every((view) => view.name !== name))
  return [...shared, ...logged.map(compileView)]
}

/** The views of every engine in DuckDB, and the snapshot itself. By default the joined views read tables by name. */
export function sharedViews(at: SnapshotFiles, views: ViewsOf = byName): readonly View[] {
  const select = (resource: Resource) => tableSelect(resource, filesOfTable(at, resource)).text
  return [...listViews(views, select).map(compileView), snapshotOf(at)]
}

const byName = viewsOver(duckdbViews, table)

const branchesName = ({ name }: Resource) => `_${name}_in_branches`
const MANIFESTS = '_manifest_of_file'
const HOTSPOTS = '_hotspot_of_key'

const inSession = viewsOver(duckdbViews, table, {
  paid: (resource) => duckdbViews.identifier(branchesName(resource)),
  manifests: MANIFESTS,
  hotspots: HOTSPOTS,
})

/** A view that statements cannot name. */
const hidden = (name: string, select: string): View => ({
  name,
  doc: '',
  columns: [],
  select: compiled(select),
})

/** Hidden views that a session stores as tables when a statement first needs them, each after those that it reads. */
const storedViews = (at: SnapshotFiles): readonly View[] => [
  hidden(MANIFESTS, manifestOfFile(byName)),
  hidden(HOTSPOTS, hotspotOfKey(byName)),
  ...logViews(inSession, at).map(({ name, select }) => hidden(`_${name}`, select)),
]

/** Views of a session. Its hidden views have names that begin with _. */
export function sessionViews(at: SnapshotFiles): readonly View[] {
  const branches = paidResources.map((resource) =>
    hidden(branchesName(resource), `SELECT * FROM ${byName.paid(resource)}`),
  )
  const logged = logViews(inSession, at).map((view) => ({ ...view, select: `SELECT * FROM _${view.name}` }))
  const views = lakeViews(at, inSession, logged)
  const isTable = ({ name }: View) => resources.some((resource) => resource.name === name)
  return [
    ...views.filter(isTable),
    ...branches,
    ...storedViews(at),
    ...views.filter((view) => !isTable(view)),
  ]
}

/** Makes a part of a session. Errors: those of DuckDB; the reason of the signal. */
type MakePart = (session: ConfinedSession, signal?: AbortSignal) => Promise<void>

/**
 * Parts of a session that are made when a statement first names them, by name and in order: branches take time to plan,
 * sums and stored views take time to read.
 */
export function deferredParts(at: SnapshotFiles): Map<string, MakePart> {
  const branches = paidResources.map((resource): [string, MakePart] => {
    const name = branchesName(resource)
    const replace: MakePart = (session) => session.replace(hidden(name, inBranches(at, resource, true).text))
    return [name, replace]
  })
  const stored = storedViews(at).map(({ name }): [string, MakePart] => {
    return [name, (session, signal) => session.store(name, signal)]
  })
  const fill: MakePart = (session) => session.fill(logSumsTable(at.sums))
  return new Map([...branches, [LOG_SUMS, fill], ...stored])
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
  const paid: ViewsOf['paid'] = (resource) => `(${inBranches(files, resource, false).text})`
  const views = viewsOver(duckdbViews, table, { paid })
  await writeViewsFile(path, lakeViews(files, views, logViews(views, files)), [logSumsTable(files.sums)])
}

/** Recognizes a file of `writeLakeViews` without DuckDB, which another reader may have open. */
export function isViewsFile(content: Buffer): boolean {
  return content.subarray(8, 12).toString() === 'DUCK' && content.includes(snapshotView)
}
