import type { Value } from '../catalog/column.ts'
import type { Row } from '../catalog/resource.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import type { CountPlan, RowsPlan, SumsPlan } from '../query/plan.ts'

/** One set of sums and the values that its rows have in common. */
export interface SumGroup {
  readonly group: Readonly<Record<string, Value>>
  readonly sums: Readonly<Record<string, bigint>>
}

/** The port: questions of the domain in plans of the domain. An aborted signal rejects with its reason. */
export interface Engine {
  /** Rows with the columns of the plan, in the order of the resource. */
  rows(plan: RowsPlan, at: Snapshot, signal?: AbortSignal): Promise<readonly Row[]>
  count(plan: CountPlan, at: Snapshot, signal?: AbortSignal): Promise<number>
  /** Exact sums, wider than 64 bits where need be; 0 over nothing. Without `groupBy` one group. */
  sums(plan: SumsPlan, at: Snapshot, signal?: AbortSignal): Promise<readonly SumGroup[]>
  close(): Promise<void>
}
