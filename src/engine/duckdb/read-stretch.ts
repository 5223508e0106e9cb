import type { Resource, Row } from '../../catalog/resource.ts'
import type { StoredFile } from '../../lake/data-file.ts'
import type { RowRange } from '../../query/plan.ts'
import { toRangePlan } from '../../query/to-plan.ts'
import { compilePlacedRows } from '../sql/compile-placed.ts'
import { duckdbDialect } from './duckdb-dialect.ts'
import { toRows } from './duckdb-values.ts'
import type { Session } from './session.ts'

/** Every column of the rows of one stretch, in the order of the resource. */
export async function readStretch(
  session: Session,
  resource: Resource,
  { path, lacks }: StoredFile,
  stretch: Pick<RowRange, 'first' | 'end'>,
): Promise<readonly Row[]> {
  const plan = toRangePlan(resource, { file: path, ...stretch })
  const statement = compilePlacedRows(plan, duckdbDialect, () => lacks)
  return toRows(resource, await session.rows(statement))
}
