import { bigintOf } from '../../../src/catalog/column.ts'
import type { CountPlan, Position, Predicate, SumsPlan } from '../../../src/catalog/query/plan.ts'
import { offloadedBytes } from '../../../src/catalog/records/offloaded-bytes.ts'
import type { Resource, Row } from '../../../src/catalog/resource.ts'
import { type Engine, MOST_BATCH_ROWS, type SumGroup } from '../../../src/engine/engine.ts'
import type { Snapshot } from '../../../src/lake/snapshot/snapshot.ts'
import { compareValues, comparing, rowAt } from './compare-rows.ts'

/** The rows of a version of a table, in any order. */
type RowsOf = (resource: Resource, at: Snapshot) => readonly Row[] | Promise<readonly Row[]>

/** Answers plans by filtering, sorting and reducing arrays: the tests' second opinion, sharing no SQL. */
export function openMemoryEngine(rowsOf: RowsOf): Engine {
  async function matching({ resource, where, after, before }: CountPlan, at: Snapshot, signal?: AbortSignal) {
    signal?.throwIfAborted()
    const rows = await rowsOf(resource, at)
    return rows.filter(allOf(resource, where)).filter(between(resource, after, before))
  }

  return {
    async rows(plan, at, signal) {
      const rows = (await matching(plan, at, signal)).sort(comparing(plan.resource))
      const end = plan.fromEnd ? Math.max(0, rows.length - plan.offset) : plan.offset + plan.limit
      const first = plan.fromEnd ? Math.max(0, end - plan.limit) : plan.offset
      return rows.slice(first, end).map((row) => pick(row, plan.columns))
    },
    async *rowBatches(plan, at, signal) {
      const rows = (await matching(plan, at, signal)).sort(comparing(plan.resource))
      for (let first = 0; first < rows.length; first += MOST_BATCH_ROWS) {
        signal?.throwIfAborted()
        yield rows.slice(first, first + MOST_BATCH_ROWS).map((row) => pick(row, plan.columns))
      }
      signal?.throwIfAborted()
    },
    count: async (plan, at, signal) => (await matching(plan, at, signal)).length,
    sums: async (plan, at, signal) => sumGroups(plan, await matching(plan, at, signal)),
    close: async () => {},
  }
}

function allOf(resource: Resource, where: readonly Predicate[]): (row: Row) => boolean {
  return (row) => where.every(matches(resource, row))
}

function between(
  resource: Resource,
  after: Position | undefined,
  before: Position | undefined,
): (row: Row) => boolean {
  const compare = comparing(resource)
  const [low, high] = [after, before].map((position) => position && rowAt(resource, position))
  return (row) =>
    (low === undefined || compare(row, low) > 0) && (high === undefined || compare(row, high) < 0)
}

function matches(resource: Resource, row: Row): (predicate: Predicate) => boolean {
  return ({ column, match, value }) => {
    const cell = row[column] ?? null
    if (cell === null) return false
    if (match === 'anyOf') return [cell].flat().some((item) => (value as readonly unknown[]).includes(item))
    const difference = compareValues(resource.columns[column]?.kind, cell, value)
    if (match === 'equals') return difference === 0
    return match === 'atLeast' ? difference >= 0 : difference <= 0
  }
}

function pick(row: Row, columns: readonly string[]): Row {
  return Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))
}

function sumGroups(plan: SumsPlan, rows: readonly Row[]): readonly SumGroup[] {
  const groups = new Map<string, Row[]>()
  if (plan.groupBy.length === 0 && plan.steps === undefined) groups.set('undefined', [])
  for (const row of rows) {
    const step = plan.steps?.starts.findLast((start) => start <= (row[plan.steps?.of ?? ''] as bigint))
    if (plan.steps !== undefined && step === undefined) continue
    const key = [...plan.groupBy.map((column) => String(row[column])), String(step)].join('\0')
    groups.set(key, [...(groups.get(key) ?? []), step === undefined ? row : { ...row, step }])
  }
  const summed = [...groups.values()].map((members) => ({
    group: pick(members[0] ?? {}, plan.steps === undefined ? plan.groupBy : [...plan.groupBy, 'step']),
    sums: Object.fromEntries(Object.keys(plan.sums).map((name) => [name, sumOf(plan, name, members)])),
  }))
  return plan.greatest === undefined ? summed : greatestOf(summed, plan, plan.greatest)
}

function greatestOf(
  groups: readonly SumGroup[],
  { groupBy }: SumsPlan,
  { of, limit }: NonNullable<SumsPlan['greatest']>,
) {
  const nameOf = ({ group }: SumGroup) => groupBy.map((column) => group[column]).join('\0')
  const sizes = new Map<string, bigint>()
  for (const group of groups) {
    const size = of.reduce((sum, name) => sum + (group.sums[name] ?? 0n), 0n)
    sizes.set(nameOf(group), (sizes.get(nameOf(group)) ?? 0n) + size)
  }
  const ranked = [...sizes].sort(([a, x], [b, y]) =>
    x === y ? Buffer.compare(Buffer.from(a), Buffer.from(b)) : x > y ? -1 : 1,
  )
  const chosen = new Set(ranked.slice(0, limit).map(([name]) => name))
  return groups.filter((group) => chosen.has(nameOf(group)))
}

function sumOf(plan: SumsPlan, name: string, rows: readonly Row[]): bigint {
  const sum = plan.sums[name]
  if (sum === undefined) return 0n
  return rows.reduce((total, row) => {
    const value = row[sum.column] ?? null
    if (value === null) return total
    if (sum.as === 'amount') return total + bigintOf(value)
    const price = plan.prices.get(String(row.source_file))
    return price === undefined ? total : total + offloadedBytes(bigintOf(value), price)
  }, 0n)
}
