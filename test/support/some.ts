/** The items of a list that must not be empty: a loop over nothing proves nothing. */
export function some<T>(list: Iterable<T> | undefined): readonly [T, ...T[]] {
  const [first, ...others] = list ?? []
  if (first === undefined) throw new Error('there is nothing to look at')
  return [first, ...others]
}
