import type { Value } from '../../catalog/column.ts'
import type { OrderStep, Resource, Row } from '../../catalog/resource.ts'
import { offloadedBytes } from '../../derive/offloaded-bytes.ts'
import type { CountPlan, Predicate, SumsPlan } from '../../query/plan.ts'
import type { Engine, SumGroup } from '../engine.ts'

/** Answers plans by filtering, sorting and reducing arrays: the tests' second opinion, sharing no SQL. */
export function openMemoryEngine(rowsOf: (resource: Resource) => readonly Row[]): Engine {
  const matching = ({ resource, where }: CountPlan) =>
    rowsOf(resource).filter((row) => where.every(matches(row)))
  return {
    async rows(plan) {
      const sorted = [...matching(plan)].sort(comparing(plan.resource.order))
      return sorted.slice(plan.offset, plan.offset + plan.limit).map((row) => pick(row, plan.columns))
    },
    count: async (plan) => matching(plan).length,
    sums: async (plan) => sumGroups(plan, matching(plan)),
    close: async () => {},
  }
}

function matches(row: Row): (predicate: Predicate) => boolean {
  return ({ column, match, value }) => {
    const own = row[column] ?? null
    if (own === null) return false
    const difference = compareValues(own, value)
    if (match === 'equals') return difference === 0
    return match === 'atLeast' ? difference >= 0 : difference <= 0
  }
}

function comparing(order: readonly OrderStep[]): (a: Row, b: Row) => number {
  return (a, b) => {
    for (const { column, descending } of order) {
      const difference = compareNullsFirst(a[column] ?? null, b[column] ?? null, descending === true)
      if (difference !== 0) return difference
    }
    return 0
  }
}

function compareNullsFirst(a: Value, b: Value, descending: boolean): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1
  return descending ? compareValues(b, a) : compareValues(a, b)
}

/** Text by its UTF-8 bytes, everything else by size. */
function compareValues(a: NonNullable<Value>, b: NonNullable<Value>): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return a === b ? 0 : a < b ? -1 : 1
}

function pick(row: Row, columns: readonly string[]): Row {
  return Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))
}

function sumGroups(plan: SumsPlan, rows: readonly Row[]): readonly SumGroup[] {
  const groups = new Map<string, Row[]>()
  if (plan.groupBy.length === 0) groups.set('', [])
  for (const row of rows) {
    const key = plan.groupBy.map((column) => String(row[column])).join('\0')
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return [...groups.values()].map((members) => ({
    group: pick(members[0] ?? {}, plan.groupBy),
    sums: Object.fromEntries(Object.keys(plan.sums).map((name) => [name, sumOf(plan, name, members)])),
  }))
}

function sumOf(plan: SumsPlan, name: string, rows: readonly Row[]): bigint {
  const sum = plan.sums[name]
  if (sum === undefined) return 0n
  return rows.reduce((total, row) => {
    const value = row[sum.column] ?? null
    if (value === null) return total
    if (sum.as === 'amount') return total + (value as bigint)
    const price = plan.prices.get(String(row.source_file))
    return price === undefined ? total : total + offloadedBytes(value as bigint, price)
  }, 0n)
}
