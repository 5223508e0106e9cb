import type { CountPlan } from '../../catalog/query/plan.ts'
import { filesOf } from '../../engine/prune.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'

/** What an answer will read, as far as its plan and the log say. */
export interface Estimate {
  /** The access path. */
  readonly by: string
  /** Data files that are searched; one where it is known which rows they are. */
  readonly files: number
  /** Rows in these files, or those of the page. */
  readonly rows: number
  /** Rows that an index compares to find them. */
  readonly compared?: number
  /** Sums that are added up for a series, its rows, and the hotspots that are looked up, each by its key or name. */
  readonly sums?: { readonly cells: number; readonly rows: number; readonly lookups: number }
}

/** `rows` is how many the answer has at most. */
export function estimateOf(choice: Path, plan: CountPlan, rows: number, at: Snapshot): Estimate {
  const { by } = choice
  if (by !== 'engine' || choice.logged !== undefined)
    return { by, files: 1, rows, compared: choice.compared ?? 0 }
  const files = filesOf(plan, at)
  return { by, files: files.length, rows: files.reduce((sum, file) => sum + file.rows, rows) }
}

/** What decides what an access path reads. */
interface Path {
  readonly by: string
  readonly logged?: object
  readonly compared?: number
}
