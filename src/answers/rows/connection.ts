import { bigintOf, type Value } from '../../catalog/column.ts'
import type { ConnectionRequest, RowWindow } from '../../catalog/query/connection.ts'
import type { CountPlan, Position } from '../../catalog/query/plan.ts'
import { groupedBy, type Resource, type Row } from '../../catalog/resource.ts'
import type { Engine } from '../../engine/engine.ts'
import type { KeyedPosition } from '../../index/keyed/key-rows.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { Entry } from '../records/entry.ts'

/** Computed on demand; with `Is` boolean, without I/O. */
interface Around<Is> {
  hasNextPage(): Is
  hasPreviousPage(): Is
}

type EventualBoolean = boolean | Promise<boolean>

export interface ConnectionRows<Is = EventualBoolean> extends Around<Is> {
  readonly rows: readonly Row[]
}

export interface Connection<Is = EventualBoolean> extends Around<Is> {
  readonly nodes: readonly Entry[]
}

/** `low` is the number of rows before the first possible row of the part. */
export function around({ start, end }: RowWindow, low: number, total: number): Around<boolean> {
  return {
    hasNextPage: () => end > start && end < total,
    hasPreviousPage: () => (end > start ? start : low) > 0,
  }
}

/** Columns and tables that the selected fields need. */
export interface FieldNeeds {
  readonly columns: readonly string[]
  readonly manifests: boolean
  readonly makers?: boolean
}

export interface ConnectionQuery {
  readonly engine: Engine
  readonly plan: CountPlan
  readonly columns: readonly string[]
  readonly request: ConnectionRequest
  readonly at: Snapshot
  readonly signal: AbortSignal | undefined
}

/** A position in a grouped table, whose order begins with the columns of its groups. */
export function keyedPositionOf(resource: Resource, position: Position): KeyedPosition {
  const { order, keyed } = resource
  const { period, type } = groupedBy(resource)
  const valueAt = (column = ''): Value => position[order.findIndex((step) => step.column === column)] ?? null
  const key = valueAt(keyed)
  return {
    group: {
      period: bigintOf(valueAt(period)),
      type: String(valueAt(type)),
      source: String(valueAt('source_file')),
    },
    key: key === null ? null : String(key),
    ordinal: bigintOf(valueAt('ordinal')),
  }
}
