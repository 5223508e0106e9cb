/** Binary search: returns the first index for which `isReached`, which holds for all later ones too; else `length`. */
export function firstIndex(length: number, isReached: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isReached(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Indexes `low` up to but not including `high`, and an estimate of the result; NaN without one. */
export interface SearchWindow {
  readonly low: number
  readonly high: number
  readonly estimate: number
}

/**
 * Interpolation search around an estimate, at distances that double from `step`. A good estimate needs fewer
 * reads than halving, and neighbouring ones. Without an estimate it is a binary search.
 */
export function firstIndexNear(
  around: SearchWindow,
  step: number,
  isReached: (index: number) => boolean,
): number {
  let { low, high } = around
  const isKnown = !Number.isNaN(around.estimate)
  let index = isKnown ? Math.max(low, Math.min(high - 1, around.estimate)) : (low + high) >>> 1
  for (let distance = isKnown ? step : high - low; low < high; distance *= 2) {
    const isFound = isReached(index)
    if (isFound) high = index
    else low = index + 1
    const middle = (low + high) >>> 1
    index = isFound ? Math.max(middle, index - distance) : Math.min(middle, index + distance)
  }
  return low
}

/** Returns the first index of ascending values that is at least `least`; else their number. Faster than `firstIndex` with a function. */
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
