import type { Steps } from '../../base/slices.ts'
import { compareBytes } from '../../lake/facts/source.ts'
import type { Gathered } from './gather-planes.ts'

/** Earnings of a hotspot in a token. */
export interface Earned {
  readonly token: string | null
  readonly key: string
  readonly earned: bigint
}

/** Keys are read so many at a time before other requests have their turn. */
const KEYS_AT_ONCE = 1024

/** The `limit` hotspots that earned most in each token, of equal ones the first by the bytes of their keys; all of them without a limit, in no order. */
export function* greatestOf(
  { tokens, keysOf }: Gathered,
  limit: number | undefined,
): Steps<readonly Earned[]> {
  const all: Earned[] = []
  for (const [token, sums] of tokens) {
    const places = sums.greatest(limit)
    yield
    const ofToken: Earned[] = []
    for (let first = 0; first < places.length; first += KEYS_AT_ONCE) {
      const some = places.slice(first, first + KEYS_AT_ONCE)
      const keys = keysOf(some)
      for (const [at, index] of some.entries())
        ofToken.push({ token, key: keys[at] ?? '', earned: sums.sumOf(index) ?? 0n })
      yield
    }
    const sorted = limit === undefined ? ofToken : ofToken.sort(byEarned).slice(0, limit)
    for (const one of sorted) all.push(one)
  }
  return all
}

/** The greatest first, of equal ones the first by the bytes of their keys. */
function byEarned(a: Earned, b: Earned): number {
  return a.earned === b.earned ? compareBytes(a.key, b.key) : a.earned > b.earned ? -1 : 1
}
