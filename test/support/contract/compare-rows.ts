import type { Kind, Value } from '../../../src/catalog/column.ts'
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
  const kind = resource.columns[column]?.kind
  return descending ? compareValues(kind, b, a) : compareValues(kind, a, b)
}

/** 18 digits after the point, as an integer. */
function scaled(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(18, '0'))
}

/** How two values of a kind compare: text and bytes bytewise, everything else by its size. */
export function compareValues(kind: Kind | undefined, a: NonNullable<Value>, b: NonNullable<Value>): number {
  if (kind === 'decimal') return compareValues('long', scaled(a as string), scaled(b as string))
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b as string))
  if (a instanceof Uint8Array) return Buffer.compare(a, b as Uint8Array)
  return a < b ? -1 : Number(a > b)
}
