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

/** Places `low` up to but not including `high`, and which of them the first should be: only where to look first. NaN where nothing is known of it. */
export interface Around {
  readonly low: number
  readonly high: number
  readonly estimate: number
}

/**
 * Interpolation search: the same where it is known about where the first index should be. Those around it are looked at first, at distances that
 * double from `step` on: with a good estimate fewer than by halving, and values that lie side by side in memory. Without one it is a binary search.
 */
export function firstPlaceNear(around: Around, step: number, isThere: (place: number) => boolean): number {
  let { low, high } = around
  const isKnown = !Number.isNaN(around.estimate)
  let place = isKnown ? Math.max(low, Math.min(high - 1, around.estimate)) : (low + high) >>> 1
  for (let distance = isKnown ? step : high - low; low < high; distance *= 2) {
    const isFound = isThere(place)
    if (isFound) high = place
    else low = place + 1
    const middle = (low + high) >>> 1
    place = isFound ? Math.max(middle, place - distance) : Math.min(middle, place + distance)
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
