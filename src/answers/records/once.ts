import type { RowsPlan } from '../../catalog/query/plan.ts'
import { type ColumnOf, namesOf, type Resource, type RowOf, rowsOf } from '../../catalog/resource.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Snapshot, TableSnapshot } from '../../lake/snapshot/snapshot.ts'

/** A value computed from all rows of a small table, once per version. */
export interface Once<T> {
  (at: Snapshot, signal?: AbortSignal): Promise<T>
  /** Undefined until it was read. */
  peek(at: Snapshot): T | undefined
}

/** `columns` are the columns that `make` reads; the default is all. */
export function onceFor<R extends Resource, T>(
  engine: Engine,
  resource: R,
  make: (rows: readonly RowOf<R>[], at: Snapshot) => T,
  columns: readonly ColumnOf<R>[] = namesOf(resource.columns),
): Once<T> {
  const readings = new WeakMap<TableSnapshot, Promise<T>>()
  const values = new WeakMap<TableSnapshot, T>()
  async function read(at: Snapshot): Promise<T> {
    const limit = at.table(resource).rows
    const plan: RowsPlan<ColumnOf<R>> = { resource, where: [], columns, limit, offset: 0 }
    return make(rowsOf(resource, await engine.rows(plan, at)), at)
  }

  async function once(at: Snapshot, signal?: AbortSignal): Promise<T> {
    const table = at.table(resource)
    let reading = readings.get(table)
    if (reading === undefined) {
      // Other requests may share this read, so one abort must not cancel it.
      reading = read(at)
      readings.set(table, reading)
      reading.then(
        (value) => values.set(table, value),
        () => readings.delete(table),
      )
    }
    const value = await reading
    signal?.throwIfAborted()
    return value
  }
  return Object.assign(once, { peek: (at: Snapshot) => values.get(at.table(resource)) })
}
