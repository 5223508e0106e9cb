/** Runs work on all items, at most `most` at a time. Errors: the first of the work; the rest goes on. */
export async function forEachConcurrent<T>(
  items: Iterable<T>,
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items].values()
  const lane = async () => {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: most }, lane))
}
