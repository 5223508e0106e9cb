/**
 * Binary search: returns the first index with `isReached`, or `length` if there is none. `isReached` must hold for all
 * later indexes too.
 */
export function firstIndex(length: number, isReached: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isReached(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Indexes `low` to `high`, without `high`, and an estimate of the result; NaN without one. */
export interface SearchWindow {
  readonly low: number
  readonly high: number
  readonly estimate: number
}

/**
 * Galloping search around an estimate, at distances that double from `step`. A good estimate needs fewer reads than
 * bisection, and adjacent ones. Without an estimate it is a binary search.
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

/**
 * Returns the index of the first of ascending values that is at least `least`; otherwise their number. It is faster than
 * `firstIndex` with a function.
 */
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
