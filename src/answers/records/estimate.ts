import type { CountPlan } from '../../catalog/query/plan.ts'
import { filesOf } from '../../engine/prune.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'

/** Work of a request, estimated from its plan and the log. */
export interface Estimate {
  readonly by: string
  /** Data files to search; one if the rows are known. */
  readonly files: number
  /** Rows of these files, or of the page. */
  readonly rows: number
  /** Rows that an index compares. */
  readonly compared?: number
  /** Cells to sum for a series, its rows, and hotspots to look up. */
  readonly sums?: { readonly cells: number; readonly rows: number; readonly lookups: number }
}

/** `rows` is the maximum of the response. */
export function estimateOf(choice: Path, plan: CountPlan, rows: number, at: Snapshot): Estimate {
  const { by } = choice
  if (by !== 'engine' || choice.logged !== undefined)
    return { by, files: 1, rows, compared: choice.compared ?? 0 }
  const files = filesOf(plan, at)
  return { by, files: files.length, rows: files.reduce((sum, file) => sum + file.rows, rows) }
}

/** The members of an access path that determine its reads. */
interface Path {
  readonly by: string
  readonly logged?: object
  readonly compared?: number
}
