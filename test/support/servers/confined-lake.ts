import { deferredParts, sessionViews, sharedViews } from '../../../src/answers/sql/views/lake-views.ts'
import { logSumsTable } from '../../../src/answers/sql/views/log-sums.ts'
import { filesOfSnapshot } from '../../../src/answers/sql/views/snapshot-files.ts'
import { ConfinedSession } from '../../../src/engine/duckdb/confined/confined-session.ts'
import type { Snapshot } from '../../../src/lake/snapshot/snapshot.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** A DuckDB with the views of a snapshot that takes EXPLAIN too; `as` is how its joined views read their tables. */
export async function openConfinedLake(at: Snapshot, as: 'branches' | 'tables'): Promise<ConfinedSession> {
  const files = filesOfSnapshot(at)
  const folder = await temporaryFolder()
  const session = await ConfinedSession.open({
    files: Object.values(files.tables).flatMap((table) => table.map(({ path }) => path)),
    ...{ resultFile: `${folder}/x`, spillFolder: folder, memoryMb: 256, threads: 1 },
    tables: [logSumsTable({})],
    views: as === 'branches' ? sessionViews(files) : sharedViews(files),
  })
  if (as === 'branches') for (const make of deferredParts(files).values()) await make(session)
  return session
}

interface PlanNode {
  readonly extra_info?: Readonly<Record<string, unknown>>
  readonly children?: readonly PlanNode[]
}

/** How many files of reward shares a statement opens, and of the ledger; manifests, hotspots and makers are left out. */
export async function filesOpenedBy(
  session: ConfinedSession,
  statement: string,
): Promise<{ readonly shares: number; readonly ledger: number }> {
  const [plan] = await session.send(`EXPLAIN (ANALYZE, FORMAT json) ${statement}`)
  const opened = { shares: 0, ledger: 0 }
  const count = ({ extra_info: info = {}, children = [] }: PlanNode) => {
    const files = Number(info['Total Files Read'] ?? 0)
    const columns = String(info.Projections)
    if (/hotspot_key|_amount|_period/.test(columns)) opened.shares += files
    if (/gateway_address|amount|time/.test(columns)) opened.ledger += files
    for (const child of children) count(child)
  }
  count(JSON.parse(String(plan?.explain_value)) as PlanNode)
  return opened
}
