/** Returns the item at an index. Errors: Error for an index out of range, which is a fault of the code. */
export function itemAt<T extends {}>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined) throw new Error(`place ${index} of ${items.length} was asked for`)
  return item
}
