import type { SeriesMedian } from '../../catalog/records/series-record.ts'
import type { Earned } from '../../index/keyed/list-earned.ts'
import { compareBytes } from '../../lake/facts/source.ts'

/** Median earnings per token over the hotspots that earned any of it. */
export function mediansOf(parts: readonly Earned[]): readonly SeriesMedian[] {
  const paid = parts.filter(({ earned }) => earned > 0n)
  return [...amountsByToken(paid)]
    .flatMap(([token, sorted]) => {
      // The lower of the two middle amounts for an even count.
      const median = sorted[(sorted.length - 1) >> 1] ?? 0n
      return token === null ? [] : [{ token, hotspots: sorted.length, median }]
    })
    .sort((a, b) => compareBytes(a.token, b.token))
}

/** Parts of the hotspots with the greatest earnings per token, ties included. */
export function partsOfGreatest(parts: readonly Earned[], limit: number): readonly Earned[] {
  const amounts = amountsByToken(parts)
  return parts.filter(({ token, earned }) => {
    const sorted = amounts.get(token) ?? []
    return earned >= (sorted[sorted.length - limit] ?? 0n)
  })
}

/** Earnings per token, ascending. */
function amountsByToken(
  parts: readonly Earned[],
): ReadonlyMap<string | null, readonly bigint[] | BigUint64Array> {
  const tokens = new Map<string | null, bigint[]>()
  for (const { token, earned } of parts) {
    const values = tokens.get(token)
    if (values === undefined) tokens.set(token, [earned])
    else values.push(earned)
  }
  return new Map([...tokens].map(([token, values]) => [token, sorted(values)]))
}

/** A typed array of 64 bits sorts several hundred thousand amounts in milliseconds. */
function sorted(amounts: readonly bigint[]): readonly bigint[] | BigUint64Array {
  const isSmall = amounts.every((amount) => BigInt.asUintN(64, amount) === amount)
  return isSmall
    ? BigUint64Array.from(amounts).sort()
    : [...amounts].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
}
