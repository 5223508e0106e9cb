import type { Steps } from '../../base/slices.ts'
import { compareBytes } from '../../lake/facts/source.ts'
import type { TokenSums } from './gather-planes.ts'

/** Earnings of a hotspot in a token. */
export interface Earned {
  readonly token: string | null
  readonly key: string
  readonly earned: bigint
}

/** Keys per slice of the event loop. */
const KEYS_AT_ONCE = 1024

/** The `limit` hotspots with the highest earnings of each token, ties by the bytes of keys; without a limit all hotspots, unordered. */
export function* listEarned(
  { tokens, readKeys }: TokenSums,
  limit: number | undefined,
): Steps<readonly Earned[]> {
  const earned: Earned[] = []
  for (const [token, sums] of tokens) {
    const places = sums.greatest(limit)
    yield
    const ofToken: Earned[] = []
    for (let first = 0; first < places.length; first += KEYS_AT_ONCE) {
      const slice = places.slice(first, first + KEYS_AT_ONCE)
      const keys = readKeys(slice)
      for (const [at, index] of slice.entries())
        ofToken.push({ token, key: keys[at] ?? '', earned: sums.sumOf(index) ?? 0n })
      yield
    }
    const sorted = limit === undefined ? ofToken : ofToken.sort(byEarned).slice(0, limit)
    for (const hotspot of sorted) earned.push(hotspot)
  }
  return earned
}

function byEarned(a: Earned, b: Earned): number {
  return a.earned === b.earned ? compareBytes(a.key, b.key) : a.earned > b.earned ? -1 : 1
}
