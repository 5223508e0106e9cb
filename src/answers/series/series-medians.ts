import type { SeriesMedian } from '../../catalog/records/series-record.ts'
import { compareBytes } from '../../lake/facts/source.ts'
import type { GroupEarned } from './series-rank.ts'

/** By token, the median of what hotspots earned that earned anything of it; there is one part for each hotspot and token. */
export function mediansOf(parts: readonly GroupEarned[]): readonly SeriesMedian[] {
  const paid = parts.filter(({ earned }) => earned > 0n)
  return [...amountsByToken(paid)]
    .flatMap(([token, sorted]) => {
      // Of an even number the lower of the two in the middle.
      const median = sorted[(sorted.length - 1) >> 1] ?? 0n
      return token === null ? [] : [{ token, hotspots: sorted.length, median }]
    })
    .sort((a, b) => compareBytes(a.token, b.token))
}

/** The parts of the hotspots that earned most in each token, and of those that earned as much as the last of them. */
export function partsOfGreatest<Part extends GroupEarned>(
  parts: readonly Part[],
  limit: number,
): readonly Part[] {
  const amounts = amountsByToken(parts)
  return parts.filter(({ token, earned }) => {
    const sorted = amounts.get(token) ?? []
    return earned >= (sorted[sorted.length - limit] ?? 0n)
  })
}

/** What was earned in each token, the least first. */
function amountsByToken(
  parts: readonly GroupEarned[],
): ReadonlyMap<string | null, readonly bigint[] | BigUint64Array> {
  const tokens = new Map<string | null, bigint[]>()
  for (const { token, earned } of parts) {
    const values = tokens.get(token)
    if (values === undefined) tokens.set(token, [earned])
    else values.push(earned)
  }
  return new Map([...tokens].map(([token, values]) => [token, sorted(values)]))
}

/** Without a comparison in script several hundred thousand amounts take milliseconds; a typed array holds 64 bits. */
function sorted(amounts: readonly bigint[]): readonly bigint[] | BigUint64Array {
  const isSmall = amounts.every((amount) => BigInt.asUintN(64, amount) === amount)
  return isSmall
    ? BigUint64Array.from(amounts).sort()
    : [...amounts].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
}
