import { fail } from '../../base/errors.ts'
import { writeInstant } from '../../base/values/instant.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import { endsOfEpochs } from '../../catalog/query/days.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Holding } from './holdings.ts'
import { earnedColumns, networkOf, type RewardRow } from './reward-rows.ts'
import type { StatementRead } from './statement-read.ts'

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

/** Collects the shares of a hotspot to compare them with its totals. */
export class TieOutCheck {
  readonly #resource: Resource
  readonly #columns: Record<string, bigint>
  #onlyInTotals = 0n
  #onlyHere = 0n
  #earned = 0n

  constructor(resource: Resource) {
    this.#resource = resource
    this.#columns = Object.fromEntries(earnedColumns(resource).map((name) => [name, 0n]))
  }

  add({ amounts, earned, isStated, isInTotals }: RewardRow): void {
    if (isStated) this.#earned += earned
    if (isStated && !isInTotals) this.#onlyHere += earned
    if (!isInTotals) return
    if (!isStated) this.#onlyInTotals += earned
    for (const [name, amount] of Object.entries(amounts))
      this.#columns[name] = (this.#columns[name] ?? 0n) + amount
  }

  /** Errors: `lake_damaged` if totals differ from the rows. */
  async with({ repository, at, tz, signal }: StatementRead, holding: Holding): Promise<TieOut> {
    const { from, to } = endsOfEpochs(holding, tz)
    const { totals: members = {}, rest: otherColumns } = this.#resource
    const totals = await repository
      .totals(this.#resource, { from, to, hotspot_key: holding.key }, at)
      .read(signal)
    const remaining = { ...this.#columns }
    for (const [name, column] of Object.entries(members)) {
      if (typeof column !== 'string') continue
      const amount = this.#columns[column] ?? 0n
      if (amount !== totals[name]) damaged(holding.key, this.#resource, column, amount, totals[name])
      delete remaining[column]
    }
    return {
      ...{ network: networkOf(this.#resource), path: `${otherColumns?.path}/totals`, account: null },
      ...{ from: writeInstant(from), to: writeInstant(to), totals, left_out: remaining },
      ...{ only_in_totals: this.#onlyInTotals, only_here: this.#onlyHere, earned: this.#earned },
    }
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
