/** A map or a weak map. */
interface Cache<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): unknown
}

/** Returns the value of a key. On first use it makes the value and keeps it. */
export function getOrMake<K, V extends {}>(map: Cache<K, V>, key: K, make: () => V): V {
  const present = map.get(key)
  if (present !== undefined) return present
  const made = make()
  map.set(key, made)
  return made
}

/** Groups items by a key. Keys and items keep their order. */
export function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) getOrMake(groups, keyOf(item), (): T[] => []).push(item)
  return groups
}
