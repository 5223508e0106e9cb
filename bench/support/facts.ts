import { deepStrictEqual } from 'node:assert/strict'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { iotWitnessIngestReports } from '../../src/catalog/l2/iot-witness-ingest-reports.ts'
import { mobileRewardShares } from '../../src/catalog/l2/mobile-reward-shares.ts'
import { rewardManifests } from '../../src/catalog/l2/reward-manifests.ts'
import { amountColumns, type Resource } from '../../src/catalog/resource.ts'
import type { Snapshot } from '../../src/lake/snapshot/snapshot.ts'
import { iotRewards } from '../../src/write/sample/iot-epoch.ts'
import { mobileRewards } from '../../src/write/sample/mobile-epoch.ts'
import { openingTime } from '../../src/write/sample/oracle-names.ts'
import { witnessReports } from '../../src/write/sample/witness-reports.ts'
import { epochsOfWorkload, type Workload } from './network.ts'

/**
 * Rows of each table, and rows and the sum of each amount column for each reward_type, by names such as
 * `iot_reward_shares gateway_reward beacon_amount`.
 */
export type Facts = ReadonlyMap<string, bigint>

const shareTables: readonly Resource[] = [iotRewardShares, mobileRewardShares]
const ALL = { from: 0n, to: 2n ** 62n }
type Range = typeof ALL

/** What the generators yield; no file, no decoder and no lake has a part in it. */
export function generatedFacts(workload: Workload): Facts {
  const facts = new Map(generatedShares(workload))
  const epochs = epochsOfWorkload(workload)
  const reports = epochs.reduce(
    (sum, epoch) => sum + [...witnessReports(epoch, openingTime(epoch, 'reports'))].length,
    0,
  )
  facts.set(`${rewardManifests.name} rows`, BigInt(2 * epochs.length))
  facts.set(`${iotWitnessIngestReports.name} rows`, BigInt(reports))
  return facts
}

/** The same of shares alone. */
export function generatedShares(workload: Workload): Facts {
  const facts = new Map<string, bigint>()
  const add = (name: string, value: bigint) => facts.set(name, (facts.get(name) ?? 0n) + value)
  for (const name of shareTables.flatMap(namesOf)) facts.set(name, 0n)
  for (const epoch of epochsOfWorkload(workload)) {
    addShares(iotRewardShares, iotRewards(epoch).shares(), add)
    addShares(mobileRewardShares, mobileRewards(epoch).shares(), add)
  }
  return facts
}

/** What the log of a lake says. */
export function storedFacts(at: Snapshot): Facts {
  const facts = new Map(sharesIn(at, ALL))
  for (const table of [...shareTables, rewardManifests, iotWitnessIngestReports]) {
    facts.set(`${table.name} rows`, BigInt(at.table(table).rows))
  }
  return facts
}

/** What it says of the shares of some days. */
export function storedShares(at: Snapshot, workload: Workload): Facts {
  const epochs = epochsOfWorkload(workload)
  return sharesIn(at, { from: epochs[0]?.end ?? 0n, to: epochs.at(-1)?.end ?? 0n })
}

function sharesIn(at: Snapshot, within: Range): Facts {
  const facts = new Map<string, bigint>()
  for (const table of shareTables) {
    const { statistics } = at.table(table)
    facts.set(`${table.name} rows`, BigInt(statistics.count(within)))
    for (const type of typesOf(table)) {
      const range = { ...within, type }
      facts.set(`${table.name} ${type} rows`, BigInt(statistics.count(range)))
      for (const [column, sum] of Object.entries(statistics.sums(range, amountColumns(table)))) {
        facts.set(`${table.name} ${type} ${column}`, sum)
      }
    }
  }
  return facts
}

/** Throws with every difference. */
export function checkFacts(stored: Facts, generated: Facts): void {
  const sorted = (facts: Facts) => Object.fromEntries([...facts].sort(([a], [b]) => (a < b ? -1 : 1)))
  deepStrictEqual(sorted(stored), sorted(generated))
}

type Share = Readonly<Record<string, unknown>>

function addShares(
  table: Resource,
  shares: Iterable<Share>,
  add: (name: string, value: bigint) => void,
): void {
  const columns = amountColumns(table)
  const byType = new Map<string, { rows: number; sums: bigint[] }>()
  for (const share of shares) {
    const type = String(share.reward_type)
    const known = byType.get(type) ?? { rows: 0, sums: columns.map(() => 0n) }
    byType.set(type, known)
    known.rows += 1
    for (const [at, column] of columns.entries()) {
      const value = share[column]
      if (typeof value === 'bigint') known.sums[at] = (known.sums[at] ?? 0n) + value
    }
  }
  for (const [type, { rows, sums }] of byType) {
    add(`${table.name} rows`, BigInt(rows))
    add(`${table.name} ${type} rows`, BigInt(rows))
    for (const [at, column] of columns.entries()) add(`${table.name} ${type} ${column}`, sums[at] ?? 0n)
  }
}

function typesOf(table: Resource): readonly string[] {
  return table.columns.reward_type?.choices ?? []
}

function namesOf(table: Resource): readonly string[] {
  const columns = ['rows', ...amountColumns(table)]
  return typesOf(table).flatMap((type) => columns.map((name) => `${table.name} ${type} ${name}`))
}
