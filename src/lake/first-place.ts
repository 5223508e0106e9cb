/** Binary search: the first index below `length` for which `isThere`, which holds for all later ones too; else `length`. */
export function firstPlace(length: number, isThere: (place: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isThere(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** The first place of values in ascending order that has at least this one; else their number. Faster than the same with a function. */
export function firstAtLeast<T extends bigint | number>(values: ArrayLike<T>, least: T): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const value = values[middle]
    if (value !== undefined && value >= least) high = middle
    else low = middle + 1
  }
  return low
}
