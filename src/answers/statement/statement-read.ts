import { isSliceOver, nextSlice } from '../../base/slices.ts'
import type { Value } from '../../catalog/column.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { RowFacts } from '../records/manifests.ts'
import type { Repository } from '../repository.ts'

/** Inputs of a statement: one snapshot, with days of one time zone. */
export interface StatementRead {
  readonly repository: Repository
  readonly at: Snapshot
  readonly tz: string
  readonly signal: AbortSignal | undefined
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

/** The value as text; null stays null. */
export function textOrNull(value: Value): string | null {
  return value === null ? null : String(value)
}
