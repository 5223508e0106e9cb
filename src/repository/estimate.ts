import { filesOf } from '../engine/prune.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import type { CountPlan } from '../query/plan.ts'

/** What an answer will read, as far as its plan and the log say. */
export interface Estimate {
  /** Who answers. */
  readonly by: string
  /** Data files that are searched; one where it is known which rows they are. */
  readonly files: number
  /** Rows in these files, or those of the page. */
  readonly rows: number
  /** Sums that are added up for a series, its rows, and the hotspots that are looked up, each by its key or name. */
  readonly sums?: { readonly cells: number; readonly rows: number; readonly lookups: number }
}

/** Reads nothing; `rows` is how many the answer has at most. */
export function estimateOf(by: string, plan: CountPlan, rows: number, at: Snapshot): Estimate {
  if (by !== 'search' && by !== 'engine') return { by, files: 1, rows }
  const files = filesOf(plan, at)
  return { by, files: files.length, rows: files.reduce((sum, file) => sum + file.rows, rows) }
}
