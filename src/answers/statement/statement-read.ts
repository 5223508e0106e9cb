import { getOrMake } from '../../base/maps.ts'
import { isSliceOver, nextSlice } from '../../base/slices.ts'
import { Constant, type Vector } from '../../base/values/vector.ts'
import type { Value } from '../../catalog/column.ts'
import { type Days, endsOfEpochs, instantsOf } from '../../catalog/query/days.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { RowFacts } from '../records/manifests.ts'
import type { Repository } from '../repository.ts'
import type { ListBatch } from '../rows/group-rows.ts'
import type { Reach } from '../unknown/reach.ts'

/** The first and the last instant, in microseconds since 1970. */
interface Instants {
  readonly from: bigint
  readonly to: bigint
}

/** Inputs of a statement: one snapshot, with days of one time zone. */
export interface StatementRead {
  readonly repository: Repository
  readonly at: Snapshot
  readonly tz: string
  readonly signal: AbortSignal | undefined
  /** Reach of the client. */
  readonly reach: Reach
  instantsOf(days: Days): Instants
  /** See `endsOfEpochs`. */
  endsOf(days: Days): Instants
}

/** A text that only equal days share. */
export const daysText = ({ first, last }: Days) => `${first} ${last}`

/** The instants of equal days are computed once. */
export function openRead({ tz, ...read }: Omit<StatementRead, 'instantsOf' | 'endsOf'>): StatementRead {
  const once = (compute: (days: Days, tz: string) => Instants) => {
    const computed = new Map<string, Instants>()
    return (days: Days) => getOrMake(computed, daysText(days), () => compute(days, tz))
  }
  return { ...read, tz, instantsOf: once(instantsOf), endsOf: once(endsOfEpochs) }
}

/** Returns what the epochs of days lack in a table. The coverage of the repository must have been read. */
export function coverageOf({ repository, at, endsOf }: StatementRead, resource: Resource, days: Days) {
  const coverage = repository.coverages.peek(resource, at)
  if (coverage === undefined) throw new Error(`it is not known what ${resource.name} lacks`)
  const range = endsOf(days)
  return { ...coverage.over(range), counts: coverage.missing(range) }
}

/** Returns the value of a column in one row. */
export type ReadCell = (column: string) => Value

/** Reads a whole list in batches and maps each row. Errors: the reason of the signal. */
export async function* mapRows<T>(
  { repository, at, signal }: StatementRead,
  resource: Resource,
  filters: Filters,
  columns: readonly string[],
  map: (cell: ReadCell, facts: RowFacts) => T,
): AsyncGenerator<readonly T[]> {
  const list = await repository.whole(resource, filters, columns, at, signal)
  for await (const batch of list.batches()) {
    if (isSliceOver()) await nextSlice(signal)
    yield Array.from({ length: batch.rows }, (_, row) =>
      map((column) => batch.columns[column]?.at(row) ?? batch.shared[column] ?? null, list),
    )
  }
}

/** The values of columns of a batch. */
export function columnsOf({ columns, shared }: ListBatch, names: readonly string[]): readonly Values[] {
  return names.map((name) => columns[name] ?? new Constant(shared[name] ?? null))
}

type Values = Pick<Vector<Value>, 'at'>

/** The value as text; null stays null. */
export function textOrNull(value: Value): string | null {
  return value === null ? null : String(value)
}
