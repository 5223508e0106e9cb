import type { Resource } from '../catalog/resource.ts'
import type { Snapshot, TableSnapshot } from '../lake/snapshot.ts'

/** Reads something of a whole table, once for each version of the table. */
export interface Once<T> {
  (at: Snapshot, signal?: AbortSignal): Promise<T>
  /** Undefined until it was read. */
  known(at: Snapshot): T | undefined
}

export function onceFor<T>(resource: Resource, read: (at: Snapshot) => Promise<T>): Once<T> {
  const readings = new WeakMap<TableSnapshot, Promise<T>>()
  const known = new WeakMap<TableSnapshot, T>()
  async function once(at: Snapshot, signal?: AbortSignal): Promise<T> {
    const table = at.table(resource)
    let reading = readings.get(table)
    if (reading === undefined) {
      // Other requests may wait for it too, so it is not aborted with the one that began it.
      reading = read(at)
      readings.set(table, reading)
      reading.then(
        (value) => known.set(table, value),
        () => readings.delete(table),
      )
    }
    const value = await reading
    signal?.throwIfAborted()
    return value
  }
  return Object.assign(once, { known: (at: Snapshot) => known.get(at.table(resource)) })
}
