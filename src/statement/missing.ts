import { l1Rewards } from '../catalog/l1/rewards.ts'
import type { JsonObject } from '../derive/json-writer.ts'
import type { Days } from '../derive/statement-query.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import type { Repository } from '../repository/repository.ts'
import { dayOf, endsOfEpochs, nextDay } from './days.ts'
import { networkOf, shareTables } from './reward-rows.ts'
import type { StatementSums } from './sums.ts'

/** Days one after the other. */
interface DayRun {
  readonly first: string
  readonly last: string
}

/** Source: documentation of the network; rewards are paid on L2 since then. */
const LAST_DAY_OF_L1 = '2023-04-18'
const HALF_DAY = 43_200_000_000n

/** What a statement lacks; empty lists when nothing does. */
export interface Missing {
  /** Days of which no reward is in, of anybody. */
  readonly days: readonly (DayRun & { readonly network: string })[]
  /** Days of which files are in that no manifest names, and those files. */
  readonly manifests: readonly (DayRun & { readonly network: string; readonly files: number })[]
  /** Days on which something was earned that has no price. */
  readonly prices: readonly (DayRun & { readonly token: string })[]
  /** Given keys that no table names and that earned nothing. */
  readonly unknown_keys: readonly string[]
  /** Whether days of L1 are asked for, and no rewards of it are in. */
  readonly l1_rewards: boolean
}

export async function missingIn(
  repository: Repository,
  days: Days,
  tz: string,
  at: Snapshot,
  sums: StatementSums,
  unknownKeys: readonly string[],
  signal?: AbortSignal,
): Promise<Missing & JsonObject> {
  const [range, day] = [endsOfEpochs(days, tz), dayOf(tz)]
  const tables = shareTables.map(async (resource) => {
    const network = networkOf(resource)
    const groups = at.table(resource).statistics.cut(range, 0, Number.MAX_SAFE_INTEGER)
    const { manifestOf } = await repository.whole(resource, { ...range }, ['source_file'], at, signal)
    const there = new Set<string>()
    const unnamed = new Map<string, Set<string>>()
    for (const { group } of groups) {
      const own = day(group.period - HALF_DAY)
      there.add(own)
      if (manifestOf(group.source).epoch === null)
        unnamed.set(own, (unnamed.get(own) ?? new Set()).add(group.source))
    }
    const filesOf = ({ first, last }: DayRun) =>
      [...unnamed]
        .filter(([own]) => first <= own && own <= last)
        .reduce((sum, [, files]) => sum + files.size, 0)
    return {
      days: runsOf(daysFrom(days).filter((own) => !there.has(own))).map((run) => ({ network, ...run })),
      manifests: runsOf([...unnamed.keys()].sort()).map((run) => ({ network, ...run, files: filesOf(run) })),
    }
  })
  const found = await Promise.all(tables)
  return {
    days: found.flatMap((one) => one.days),
    manifests: found.flatMap((one) => one.manifests),
    prices: [...sums.unpriced].flatMap(([token, own]) => runsOf(own).map((run) => ({ token, ...run }))),
    unknown_keys: unknownKeys,
    l1_rewards: days.first <= LAST_DAY_OF_L1 && at.table(l1Rewards).rows === 0,
  }
}

function daysFrom({ first, last }: Days): readonly string[] {
  const days: string[] = []
  for (let day = first; day <= last; day = nextDay(day)) days.push(day)
  return days
}

function runsOf(days: readonly string[]): readonly DayRun[] {
  const runs: { first: string; last: string }[] = []
  for (const day of days) {
    const run = runs.at(-1)
    if (run !== undefined && nextDay(run.last) === day) run.last = day
    else runs.push({ first: day, last: day })
  }
  return runs
}
