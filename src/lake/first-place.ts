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
