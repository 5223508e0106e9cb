/** Binary search: the first of `length` places that satisfies what all later ones satisfy too; `length` when none does. */
export function firstPlace(length: number, isThere: (place: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isThere(middle)) high = middle
    else low = middle + 1
  }
  return low
}
