/** The item of a list at a place that it has. Errors: Error for any other place, since what called is wrong. */
export function itemAt<T extends {}>(items: readonly T[], place: number): T {
  const item = items[place]
  if (item === undefined) throw new Error(`place ${place} of ${items.length} was asked for`)
  return item
}
