import type { KeyedRange } from '../../catalog/query/group-range.ts'
import type { SumsPlan } from '../../catalog/query/plan.ts'
import { offloadedBytes } from '../../catalog/records/offloaded-bytes.ts'
import type { KeyIndex } from '../../index/keyed/key-index.ts'
import type { VisitRow } from '../../index/keyed/key-sums.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'

type Sums = SumsPlan['sums']

/** Columns of sums, and those with offloaded bytes. */
interface Needed {
  readonly columns: readonly string[]
  readonly offloaded: readonly (readonly [name: string, column: string])[]
}

/** All totals requests of a table share one object of sums. */
const neededBySums = new WeakMap<Sums, Needed>()

function neededFor(sums: Sums): Needed {
  const needed = neededBySums.get(sums) ?? {
    columns: [...new Set(Object.values(sums).map(({ column }) => column))],
    offloaded: Object.entries(sums).flatMap(([name, { column, as }]) =>
      as === 'offloaded_bytes' ? [[name, column] as const] : [],
    ),
  }
  neededBySums.set(sums, needed)
  return needed
}

/** Sums over the rows of a key from the index by hotspot; undefined if it lacks them. */
export function keyedSums(
  index: KeyIndex,
  { sums, prices }: SumsPlan,
  { key, range }: KeyedRange,
  table: TableSnapshot,
): Record<string, bigint> | undefined {
  const { columns, offloaded } = neededFor(sums)
  const bytes: Record<string, bigint> = {}
  const addBytes: VisitRow = (source, amountOf) => {
    const price = prices.get(source)
    if (price === undefined) return
    for (const [name, column] of offloaded) {
      const reward = amountOf(column)
      if (reward > 0n) bytes[name] = (bytes[name] ?? 0n) + offloadedBytes(reward, price)
    }
  }
  const keySums = index.sums(table, key, range, columns, offloaded.length === 0 ? undefined : addBytes)
  if (keySums === undefined) return undefined
  const answers: Record<string, bigint> = {}
  for (const name in sums) {
    const { column = '', as } = sums[name] ?? {}
    answers[name] = (as === 'offloaded_bytes' ? bytes[name] : keySums[column]) ?? 0n
  }
  return answers
}
