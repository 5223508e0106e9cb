import type { Resource } from '../catalog/resource.ts'
import type { Snapshot, TableSnapshot } from '../lake/snapshot.ts'

/** What is read of a whole table, once for each version of it, whoever asks. */
export function onceFor<T>(
  resource: Resource,
  read: (at: Snapshot) => Promise<T>,
): (at: Snapshot, signal?: AbortSignal) => Promise<T> {
  const known = new WeakMap<TableSnapshot, Promise<T>>()
  return async (at, signal) => {
    const table = at.table(resource)
    let reading = known.get(table)
    if (reading === undefined) {
      // Others may wait for it too, so it does not end with the request that began it.
      reading = read(at)
      known.set(table, reading)
      reading.catch(() => known.delete(table))
    }
    const value = await reading
    signal?.throwIfAborted()
    return value
  }
}
