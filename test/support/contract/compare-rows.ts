import { scaledDecimal } from '../../../src/base/values/decimal.ts'
import type { Value } from '../../../src/catalog/column.ts'
import type { Position } from '../../../src/catalog/query/plan.ts'
import type { OrderStep, Resource, Row } from '../../../src/catalog/resource.ts'

/** The columns of a row that its order needs. */
export function rowAt(resource: Resource, position: Position): Row {
  return Object.fromEntries(resource.order.map((step, index) => [step.column, position[index] ?? null]))
}

export function comparing(resource: Resource): (a: Row, b: Row) => number {
  return (a, b) => {
    for (const step of resource.order) {
      const difference = compareNullsFirst(resource, step, a[step.column] ?? null, b[step.column] ?? null)
      if (difference !== 0) return difference
    }
    return 0
  }
}

function compareNullsFirst(
  resource: Resource,
  { column, descending }: OrderStep,
  a: Value,
  b: Value,
): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1
  return descending ? compareValues(resource, column, b, a) : compareValues(resource, column, a, b)
}

/** Compares text and bytes bytewise, other values by size. */
export function compareValues(
  resource: Resource,
  column: string,
  a: NonNullable<Value>,
  b: NonNullable<Value>,
): number {
  if (a === b) return 0
  const [first, second] = [a, b].map((value) => comparable(resource, column, value))
  if (Buffer.isBuffer(first) && Buffer.isBuffer(second)) return Buffer.compare(first, second)
  if (first === undefined || second === undefined || first === second) return 0
  return first < second ? -1 : 1
}

function comparable(resource: Resource, column: string, value: NonNullable<Value>): bigint | number | Buffer {
  if (resource.columns[column]?.kind === 'decimal') return scaledDecimal(value as string)
  if (typeof value === 'string') return Buffer.from(value)
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (typeof value === 'bigint' || typeof value === 'number') return value
  return value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(JSON.stringify(value))
}
