/** Sums of rows by the name of their group. */
type NamedSums = ReadonlyMap<string, readonly bigint[]>

/** Describes the first group whose sums differ between an index and the lake; undefined if all are equal. */
export function compareSums(built: NamedSums, lake: NamedSums): string | undefined {
  for (const name of new Set([...built.keys(), ...lake.keys()])) {
    const [inIndex, inLake] = [built, lake].map((sums) => sums.get(name)?.join(', ') ?? 'nothing')
    if (inIndex !== inLake) return `of ${name} it has ${inIndex}, the lake ${inLake}`
  }
  return undefined
}
