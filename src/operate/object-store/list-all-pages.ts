import { type ObjectPage, StoreFault } from './object-store.ts'

/** Limit on listed names, possibly shared by several listings. */
export interface NameLimit {
  /** Number of names that may still be listed. */
  remaining: number
  /** Text of the limit in error messages, and what to do. */
  readonly advice: string
}

/** Minimum cost of a page: a store may send empty pages without end. */
const LEAST_NAMES = 100

/** Creates a limit that users cannot change. */
export function nameLimit(most: number, advice = `a listing has at most ${most} names`): NameLimit {
  return { remaining: most, advice }
}

/**
 * Yields all pages of a listing.
 * Errors: those of `ask`; `StoreFault` for repeated pages, or more names than the limit.
 */
export async function* listAllPages(
  ask: (next: string | undefined) => Promise<ObjectPage>,
  limit: NameLimit,
  first?: string,
): AsyncGenerator<ObjectPage> {
  const tokens = new Set<string>()
  let next = first
  do {
    const page = await ask(next)
    limit.remaining -= Math.max(LEAST_NAMES, page.objects.length + page.folders.length)
    if (limit.remaining < 0)
      throw new StoreFault('refused', `the listing of the store does not end: ${limit.advice}`)
    next = page.next
    if (next !== undefined && tokens.has(next))
      throw new StoreFault('refused', 'the store sends pages of its listing again, without an end')
    if (next !== undefined) tokens.add(next)
    yield page
  } while (next !== undefined)
}
