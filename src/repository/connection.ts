import type { Row } from '../catalog/resource.ts'
import type { Engine } from '../engine/engine.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import type { ConnectionRequest } from '../query/connection.ts'
import type { CountPlan } from '../query/plan.ts'

/** A stretch of a list. Whether rows lie around it is looked up only when someone asks. */
export interface Connection {
  readonly rows: readonly Row[]
  hasNextPage(): Promise<boolean>
  hasPreviousPage(): Promise<boolean>
}

/** What is asked, of which snapshot. */
export interface Asked {
  readonly engine: Engine
  readonly plan: CountPlan
  readonly columns: readonly string[]
  readonly request: ConnectionRequest
  readonly at: Snapshot
  readonly signal: AbortSignal | undefined
}
