import { l1Rewards } from '../../catalog/l1/rewards.ts'
import { type Days, nextDay } from '../../catalog/query/days.ts'
import { networkOf, shareTables } from './share-tables.ts'
import { coverageOf, type StatementRead } from './statement-read.ts'
import type { DaysByToken, StatementSums } from './sums.ts'

type DayRun = { readonly first: string; readonly last: string }

type OfNetwork = readonly (DayRun & { readonly network: string })[]

/** Gaps of a statement; empty lists without gaps. Network days are epochs, UTC. */
export type MissingInStatement = {
  /** Days without any reward. */
  readonly days: OfNetwork
  /** Days that lack a file of a manifest. */
  readonly files: OfNetwork
  /** Days with a file that no manifest names. */
  readonly manifests: OfNetwork
  /** Days with earnings and no price. */
  readonly prices: readonly (DayRun & { readonly token: string })[]
  readonly unknown_keys: readonly string[]
  /** True if days of L1 are requested and L1 has no rewards. */
  readonly l1_rewards: boolean
}

/** Source: documentation of the network; rewards are paid on L2 since then. */
const LAST_DAY_OF_L1 = '2023-04-18'

export async function missingIn(
  read: StatementRead,
  days: Days,
  sums: StatementSums,
  unknownKeys: readonly string[],
): Promise<MissingInStatement> {
  const { repository, at, signal } = read
  await repository.coverages.read(at, signal)
  const gaps = shareTables.flatMap((resource) => {
    const coverage = coverageOf(read, resource, days)
    const network = networkOf(resource)
    const ofNetwork = (runs: readonly DayRun[] | null | undefined) =>
      (runs ?? []).map(({ first, last }) => ({ network, first, last }))
    return {
      days: ofNetwork(coverage.epochs.missing),
      files: ofNetwork(coverage.epochs.incomplete),
      manifests: ofNetwork(coverage.manifests?.missing),
    }
  })
  return {
    days: gaps.flatMap((gap) => gap.days),
    files: gaps.flatMap((gap) => gap.files),
    manifests: gaps.flatMap((gap) => gap.manifests),
    prices: runsByToken(sums.unpriced),
    unknown_keys: unknownKeys,
    l1_rewards: days.first <= LAST_DAY_OF_L1 && at.table(l1Rewards).rows === 0,
  }
}

/** Runs of days by token. */
export function runsByToken(days: DaysByToken): readonly (DayRun & { readonly token: string })[] {
  return [...days].flatMap(([token, ofToken]) => runsOfDays(ofToken).map((run) => ({ token, ...run })))
}

/** Joins ascending days into runs. */
export function runsOfDays(days: readonly string[]): readonly DayRun[] {
  const runs: { first: string; last: string }[] = []
  for (const day of days) {
    const run = runs.at(-1)
    if (run !== undefined && nextDay(run.last) === day) run.last = day
    else runs.push({ first: day, last: day })
  }
  return runs
}
