import type { Value } from '../../../src/catalog/column.ts'
import type { Position, Predicate, RowsPlan, SumsPlan } from '../../../src/catalog/query/plan.ts'
import { amountColumns, type Resource, type Row } from '../../../src/catalog/resource.ts'
import type { SumGroup } from '../../../src/engine/engine.ts'

export const allColumns = (resource: Resource) => Object.keys(resource.columns)

export function rowsPlan(resource: Resource, more: Partial<RowsPlan> = {}): RowsPlan {
  return { resource, where: [], columns: allColumns(resource), limit: 100_000, offset: 0, ...more }
}

export function sumsPlan(resource: Resource, more: Partial<SumsPlan> = {}): SumsPlan {
  const sums = Object.fromEntries(
    amountColumns(resource).map((column) => [column, { column, as: 'amount' } as const]),
  )
  return { resource, where: [], sums, groupBy: [], prices: new Map(), ...more }
}

const predicate =
  (match: Predicate['match']) =>
  (column: string, value: NonNullable<Value>): Predicate => ({ column, match, value })

export const equals = predicate('equals')
export const atLeast = predicate('atLeast')
export const atMost = predicate('atMost')
export const anyOf = predicate('anyOf')

/** Where a row stands in the order of its table. */
export const positionAt = ({ order }: Resource, row: Row | undefined): Position =>
  order.map(({ column }) => row?.[column] ?? null)

export const places = (rows: readonly Row[]) => rows.map((row) => `${row.source_file} ${row.ordinal}`)

/** Rows whose values compare the same wherever they come from: bytes as hex. */
export const plainRows = (rows: readonly Row[]) =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        value instanceof Uint8Array ? `0x${Buffer.from(value).toString('hex')}` : value,
      ]),
    ),
  )

/** Groups come in any order. */
export function plainGroups(groups: readonly SumGroup[]): readonly string[] {
  const text = (value: object) =>
    Object.entries(value)
      .map(([name, part]) => `${name}=${part === null ? 'null' : `${typeof part} ${part}`}`)
      .sort()
      .join(' ')
  return groups.map(({ group, sums }) => `${text(group)}: ${text(sums)}`).sort()
}
