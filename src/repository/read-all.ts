import { type ColumnOf, namesOf, type Resource, type RowOf, rowsOf } from '../catalog/resource.ts'
import type { Engine } from '../engine/engine.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import type { RowsPlan } from '../query/plan.ts'

/** All rows of a table that is small enough to be held in memory, with all columns, in its order. */
export async function readAll<R extends Resource>(
  engine: Engine,
  resource: R,
  at: Snapshot,
): Promise<readonly RowOf<R>[]> {
  const columns: readonly ColumnOf<R>[] = namesOf(resource.columns)
  const plan: RowsPlan<ColumnOf<R>> = {
    resource,
    where: [],
    columns,
    limit: at.table(resource).rows,
    offset: 0,
  }
  return rowsOf(resource, await engine.rows(plan, at))
}
