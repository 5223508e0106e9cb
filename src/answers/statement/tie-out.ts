import { fail } from '../../base/errors.ts'
import { writeInstant } from '../../base/values/instant.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import { endsOfEpochs } from '../../catalog/query/days.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { Repository } from '../repository.ts'
import type { Holding } from './holdings.ts'
import { earnedColumns, networkOf, type RewardRow } from './reward-rows.ts'

/** Names of sums and what they are; offloaded bytes among them are no amount. */
type Sums = Readonly<Record<string, bigint>>

/**
 * What totals say of a hotspot and how that becomes what it earned:
 * `totals` that are paid to hotspots + `left_out` - `only_in_totals` + `only_here` = `earned`.
 */
export interface TieOut {
  readonly network: string
  readonly path: string
  /** The account whose pay it is; null for the pay of a hotspot. */
  readonly account: string | null
  readonly from: string
  readonly to: string
  readonly totals: Sums
  /** Columns that are pay and in no total. */
  readonly left_out: Sums
  /** Of days that are not stated, since their epochs are longer or shorter than a day. */
  readonly only_in_totals: bigint
  readonly only_here: bigint
  readonly earned: bigint
}

/** Gathers the shares of one hotspot, to compare them with its totals. */
export class Comparison {
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

  /** Errors: `lake_damaged` when the totals are not the sums of the rows. */
  async with(
    repository: Repository,
    holding: Holding,
    tz: string,
    at: Snapshot,
    signal?: AbortSignal,
  ): Promise<TieOut> {
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

/** Says that totals are not the sums of their rows. Errors: `lake_damaged`. */
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

/** The sum of those of several hotspots over the same range. */
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

/** As a reply has it: sums are text. */
export function toldTieOut(tie: TieOut): JsonObject {
  const text = (sums: Sums) =>
    Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, String(sum)]))
  return {
    ...{ network: tie.network, path: tie.path, account_address: tie.account, from: tie.from, to: tie.to },
    ...{ totals: text(tie.totals), left_out: text(tie.left_out) },
    ...{
      only_in_totals: String(tie.only_in_totals),
      only_here: String(tie.only_here),
      earned: String(tie.earned),
    },
  }
}
