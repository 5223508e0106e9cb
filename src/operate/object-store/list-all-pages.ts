import { type ObjectPage, StoreFault } from './object-store.ts'

/** How much of listings is read; several may share it. */
export interface NameLimit {
  /** How many names are left. */
  remaining: number
  /** How sentences name the limit, and what to do. */
  readonly advice: string
}

/** A page counts as so many names at least, so that pages end too: a store may send empty ones. */
const LEAST_NAMES = 100

/** A limit of so many names, for listings whose user can change nothing. */
export function nameLimit(most: number, advice = `a listing has at most ${most} names`): NameLimit {
  return { remaining: most, advice }
}

/**
 * All pages of a listing of another's store. Errors: those of `ask`; `StoreFault` when pages come again, or have more names than the limit.
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
