import type { Resource } from '../catalog/resource.ts'
import type { Engine } from '../engine/engine.ts'
import { ServiceError } from '../errors.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import type { SortedCopies } from '../sorted-copies/sorted-copies.ts'
import { placedOf } from './choose.ts'
import type { SearchContext } from './search.ts'

/** Asks with the sorted copies of a table, if there are any. */
export type WithCopies = <T>(
  resource: Resource,
  at: Snapshot,
  signal: AbortSignal | undefined,
  ask: (context: SearchContext) => Promise<T>,
) => Promise<T>

/** Sorted copies that are damaged are used no longer, and those that cannot be read now not for this; the table itself has the same answer. */
export function openWithCopies(engine: Engine, sortedCopies: SortedCopies): WithCopies {
  return async (resource, at, signal, ask) => {
    const table = at.table(resource)
    const used = sortedCopies.of(table)
    const context = { placed: placedOf(engine), resource, at, signal }
    try {
      return await ask({ ...context, sortedCopies: used })
    } catch (error) {
      const code = error instanceof ServiceError ? error.code : undefined
      if (used === undefined || (code !== 'lake_damaged' && code !== 'not_ready')) throw error
      const answer = await ask({ ...context, sortedCopies: undefined })
      // The table itself can be read, so it was its sorted copies that cannot be.
      if (code === 'lake_damaged') await sortedCopies.forget(table, used)
      return answer
    }
  }
}
