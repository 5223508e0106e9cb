import { fail } from '../../base/errors.ts'
import { groupBy } from '../../base/maps.ts'
import { writeInstant } from '../../base/values/instant.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Holding } from './holdings.ts'
import type { RewardRow } from './reward-facts.ts'
import { earnedColumns, networkOf } from './share-tables.ts'
import { daysText, type StatementRead } from './statement-read.ts'

/** Sums by name; offloaded bytes are not an amount. */
type Sums = Readonly<Record<string, bigint>>

/**
 * Relation of totals and earnings of a hotspot: `totals` + `left_out` - `only_in_totals` + `only_here` = `earned`.
 */
export interface TieOut {
  readonly network: string
  readonly path: string
  /** The paid account; null for a hotspot. */
  readonly account: string | null
  readonly from: string
  readonly to: string
  readonly totals: Sums
  /** Paid columns without a total. */
  readonly left_out: Sums
  /** Days outside the statement, from epochs longer or shorter than a day. */
  readonly only_in_totals: bigint
  readonly only_here: bigint
  readonly earned: bigint
}

/** Returns the totals of a table for each holding, over the epochs of its days. */
export async function totalsOf(
  { repository, at, endsOf, signal }: StatementRead,
  resource: Resource,
  holdings: readonly Holding[],
): Promise<(holding: Holding) => Sums> {
  const totals = new Map<string, ReadonlyMap<string, Sums>>()
  for (const [days, held] of groupBy(holdings, daysText)) {
    const [first] = held
    if (first === undefined) continue
    const keys = [...new Set(held.map(({ key }) => key))]
    totals.set(days, await repository.totalsOfKeys(resource, { ...endsOf(first) }, keys, at, signal))
  }
  return (holding) => totals.get(daysText(holding))?.get(holding.key) ?? {}
}

/** Compares the shares of a hotspot with its totals. Errors: `lake_damaged` if they differ. */
export function tieOut(
  { endsOf }: StatementRead,
  resource: Resource,
  holding: Holding,
  rows: readonly RewardRow[],
  totals: Sums,
): TieOut {
  const names = earnedColumns(resource)
  const sums = names.map(() => 0n)
  let [onlyInTotals, onlyHere, stated] = [0n, 0n, 0n]
  for (const { facts, amounts, earned } of rows) {
    if (facts.isStated) stated += earned
    if (!facts.isInTotals) {
      onlyHere += earned
      continue
    }
    if (!facts.isStated) onlyInTotals += earned
    for (const [index, amount] of amounts.entries()) sums[index] = (sums[index] ?? 0n) + amount
  }
  const { totals: members = {}, rest: otherColumns } = resource
  const remaining = Object.fromEntries(names.map((name, index) => [name, sums[index] ?? 0n]))
  const columns = { ...remaining }
  for (const [name, column] of Object.entries(members)) {
    if (typeof column !== 'string') continue
    const amount = columns[column] ?? 0n
    if (amount !== totals[name]) damaged(holding.key, resource, column, amount, totals[name])
    delete remaining[column]
  }
  const { from, to } = endsOf(holding)
  return {
    ...{ network: networkOf(resource), path: `${otherColumns?.path}/totals`, account: null },
    ...{ from: writeInstant(from), to: writeInstant(to), totals, left_out: remaining },
    ...{ only_in_totals: onlyInTotals, only_here: onlyHere, earned: stated },
  }
}

/** Reports totals that differ from their rows. Errors: `lake_damaged`. */
export function damaged(
  key: string,
  { name }: Resource,
  column: string,
  amount: bigint,
  total: bigint | undefined,
): never {
  const sentence = `The rewards of ${key} in ${name} add up to ${amount} of ${column}, and their totals say ${total}.`
  fail('lake_damaged', sentence)
}

/** Adds comparisons of hotspots over the same range. */
export function added(a: TieOut, b: TieOut): TieOut {
  const both = (x: Sums, y: Sums) =>
    Object.fromEntries(Object.entries(x).map(([name, sum]) => [name, sum + (y[name] ?? 0n)]))
  return {
    ...a,
    totals: both(a.totals, b.totals),
    left_out: both(a.left_out, b.left_out),
    only_in_totals: a.only_in_totals + b.only_in_totals,
    only_here: a.only_here + b.only_here,
    earned: a.earned + b.earned,
  }
}

/** Sums become text. */
export function writeTieOut(tie: TieOut): JsonObject {
  const text = (sums: Sums) =>
    Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, String(sum)]))
  return {
    ...{ network: tie.network, path: tie.path, account_address: tie.account, from: tie.from, to: tie.to },
    ...{ totals: text(tie.totals), left_out: text(tie.left_out) },
    only_in_totals: String(tie.only_in_totals),
    only_here: String(tie.only_here),
    earned: String(tie.earned),
  }
}
