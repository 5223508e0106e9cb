import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../../src/write/sample/random.ts'
import type { ExactRecord } from '../archive/records.ts'
import { lakeIn } from '../torture/lake-checks.ts'
import type { Scenario } from '../torture/scenario.ts'
import { type Ingest, ingestScenario } from '../torture/scenarios/ingests.ts'
import { makeManyCommits, makeSteps } from './inputs.ts'
import { makeLedgerSteps, makeSortedInputs } from './ledger-inputs.ts'
import { checkFilters, sortedTables } from './sorted.ts'

/** Ingests to kill: larger than those that faults are put into, so that they take a while and commit often. */

export interface Sizes {
  /** Hotspots of the network that is taken in; they decide how long an ingest takes. */
  readonly hotspots: number
  /** Transactions of the ledger that is taken in. */
  readonly transactions: number
}

export type KilledScenario = Scenario & Required<Pick<Scenario, 'command'>>

/** How an ingest is called that commits every few hundred rows, and one that commits every file. */
const every = (rows: number) => ['--ingest-commit-rows', `${rows}`]

function ingestsOf(names: readonly string[], rows: number, make: Ingest['make']): readonly KilledScenario[] {
  const flags = { flags: every(rows), flagsBefore: every(rows), common: [] }
  return names.map((name, step) => ingestScenario({ name, make, step, ...flags }))
}

/** By the turn that they take. */
export function killScenarios({ hotspots, transactions }: Sizes, random: Random) {
  const oracles = (folder: string) => makeSteps(folder, hotspots)
  const ledger = (folder: string) => makeLedgerSteps(folder, transactions)
  const chain = ingestsOf(['first days', 'more days', 'other bytes'], 250, oracles)
  return {
    chain,
    concurrent: chain.slice(0, 1),
    ledger: ingestsOf(['archive', 'newer states', 'another part'], 1500, ledger),
    checkpoint: ingestsOf(['99 commits', 'the hundredth commit'], 1, makeManyCommits).slice(1),
    sorting: [sorting(random)],
  }
}

/** Everything is in and nothing is sorted: an ingest of the same files has only that to do. */
function sorting(random: Random): KilledScenario {
  let rewards: readonly ExactRecord[] = []
  const name = 'nothing but sorting'
  const make = async (folder: string) => {
    const made = await makeSortedInputs(folder)
    rewards = made.rewards
    return [made.step, made.step]
  }
  const again = ingestScenario({ name, make, step: 1, common: [] })
  return {
    ...again,
    async prepare(folder) {
      await again.prepare(folder)
      rmSync(join(lakeIn(folder), '_state'), { recursive: true })
    },
    async check(folder, ended, kind) {
      await again.check(folder, ended, kind)
      await checkFilters(lakeIn(folder), rewards, random)
    },
    async checkEnd(folder) {
      await again.checkEnd(folder)
      assert.deepEqual(sortedTables(lakeIn(folder)), ['l1_rewards', 'l1_transaction_actors'])
      await checkFilters(lakeIn(folder), rewards, random)
    },
  }
}
