import { bigintOf, type Value } from '../../catalog/column.ts'
import type { Position } from '../../catalog/query/plan.ts'
import { groupedBy, type Resource } from '../../catalog/resource.ts'
import type { KeyedPosition } from '../../index/keyed/key-rows.ts'

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
