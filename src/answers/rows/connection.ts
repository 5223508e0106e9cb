import type { ConnectionRequest, Part } from '../../catalog/query/connection.ts'
import type { CountPlan } from '../../catalog/query/plan.ts'
import type { Row } from '../../catalog/resource.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { Entry } from '../records/entry.ts'

/** Whether rows lie around those of a connection; looked up only when someone asks. */
interface Around {
  hasNextPage(): Promise<boolean>
  hasPreviousPage(): Promise<boolean>
}

/** The rows of a list between two cursors. */
export interface ConnectionRows extends Around {
  readonly rows: readonly Row[]
}

export interface Connection extends Around {
  readonly nodes: readonly Entry[]
}

/** What lies around a part of `total` rows; `low` rows come before the first that it could have. */
export function around({ start, end }: Part, low: number, total: number): Around {
  return {
    hasNextPage: async () => end > start && end < total,
    hasPreviousPage: async () => (end > start ? start : low) > 0,
  }
}

/** What the fields that were asked for follow from. */
export interface FieldNeeds {
  readonly columns: readonly string[]
  readonly manifests: boolean
  readonly makers?: boolean
}

/** What is asked, of which snapshot. */
export interface ConnectionQuery {
  readonly engine: Engine
  readonly plan: CountPlan
  readonly columns: readonly string[]
  readonly request: ConnectionRequest
  readonly at: Snapshot
  readonly signal: AbortSignal | undefined
}
