/** Sums of rows by a text that names what they are of. */
export type NamedSums = ReadonlyMap<string, readonly bigint[]>

/** The first of which two sides do not say the same, with what each says; undefined when there is none. */
export function differenceOfSums(built: NamedSums, lake: NamedSums): string | undefined {
  for (const name of new Set([...built.keys(), ...lake.keys()])) {
    const [own = 'nothing', other = 'nothing'] = [built.get(name)?.join(', '), lake.get(name)?.join(', ')]
    if (own !== other) return `of ${name} it has ${own}, the lake ${other}`
  }
  return undefined
}

/** What is called with one key is computed once. */
export function onceByKey<Key, T>(compute: (key: Key) => Promise<T>): (key: Key) => Promise<T> {
  const known = new Map<Key, Promise<T>>()
  return (key) => {
    const own = known.get(key) ?? compute(key)
    known.set(key, own)
    return own
  }
}
