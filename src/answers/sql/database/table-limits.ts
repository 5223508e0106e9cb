import { holdersOf, type IdentifierColumn } from '../../../catalog/identities.ts'
import { l1Transactions } from '../../../catalog/l1/transactions.ts'
import { hotspots } from '../../../catalog/l2/hotspots.ts'
import { iotWitnessIngestReports } from '../../../catalog/l2/iot-witness-ingest-reports.ts'
import { makers } from '../../../catalog/l2/makers.ts'
import { rewardManifests } from '../../../catalog/l2/reward-manifests.ts'
import { rejects } from '../../../catalog/lake/rejects.ts'
import { type Days, instantsOf, nextDay } from '../../../catalog/query/days.ts'
import { isReward } from '../../../catalog/records/flat-columns.ts'
import { spellWallet } from '../../../catalog/records/wallet.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { resources } from '../../../catalog/resources.ts'
import { compiled, joined, name, type Sql, sql } from '../../../engine/duckdb/sql.ts'
import { duckdbViews } from '../dialects/duckdb-views.ts'
import { paidDay } from '../views/reward-view.ts'

/** Rows of a database file; all rows without limits. */
export interface DatabaseLimits {
  /** Days of UTC. Rewards belong to the day that was paid, other rows to the day of their time. */
  readonly days?: Days
  /** Address of an owner, as either ledger spells it. */
  readonly owner?: string
}

/** FROM item of a whole table, or of the table that was written before. */
type Place = (resource: Resource) => Sql

export interface Places {
  readonly whole: Place
  readonly written: Place
}

/** Tables of a file, in the order of writing: a limit may read the tables before it. */
export function tablesOfFile({ owner }: DatabaseLimits): readonly Resource[] {
  const tables = resources.filter((resource) => resource !== l1Transactions)
  // A refused message has no columns that tell its owner.
  return [...tables, l1Transactions].filter((resource) => owner === undefined || resource !== rejects)
}

/** Conditions of the rows of a table; none if all rows stay. */
export function conditionsOf(
  resource: Resource,
  { days, owner }: DatabaseLimits,
  places: Places,
): readonly Sql[] {
  return [
    ...(days === undefined ? [] : conditionOfDays(resource, days, places)),
    ...(owner === undefined ? [] : conditionOfOwner(resource, owner, places)),
  ]
}

function conditionOfDays(resource: Resource, days: Days, places: Places): readonly Sql[] {
  const { partition, columns } = resource
  const { first, last } = days
  if (isReward(resource)) return [isBetween(name(paidDay.name), first, last)]
  if (resource === rewardManifests) return [isManifestOfDays(days, places)]
  if (partition === null) return []
  const column = name(partition.of)
  if (partition.by === 'block_range') return [isBlockOfDays(partition.of, days, places)]
  if (columns[partition.of]?.kind === 'seconds') return [isInSeconds(column, days)]
  const startOf = (day: string) => sql`${`${day} 00:00:00+00`}::TIMESTAMPTZ`
  return [sql`${column} >= ${startOf(first)} AND ${column} < ${startOf(nextDay(last))}`]
}

const isBetween = (day: Sql, first: string, last: string) =>
  sql`${day} BETWEEN ${first}::DATE AND ${last}::DATE`

/** Manifests of the days, and those of the shares that were written. */
function isManifestOfDays({ first, last }: Days, { written }: Places): Sql {
  const day = compiled(`${duckdbViews.middleDay('start_timestamp', 'end_timestamp')}::DATE`)
  const files = resources.filter(isReward).map((shares) => sql`SELECT source_file FROM ${written(shares)}`)
  const list = sql`(SELECT list(DISTINCT source_file) FROM (${joined(files, ' UNION ALL ')}))`
  return sql`(${isBetween(day, first, last)} OR coalesce(list_has_any(written_files, ${list}), false))`
}

function isInSeconds(column: Sql, days: Days): Sql {
  const { from, to } = instantsOf(days, 'UTC')
  return sql`${column} BETWEEN ${from / 1_000_000n} AND ${to / 1_000_000n}`
}

/** Tables with blocks and their times. */
export function timedBlocks(block: string): readonly Resource[] {
  return resources.filter(
    ({ columns, partition }) => block in columns && columns[partition?.of ?? '']?.kind === 'seconds',
  )
}

/** Blocks between the first and the last one that another table has in these days. */
function isBlockOfDays(block: string, days: Days, { whole }: Places): Sql {
  const blocks = timedBlocks(block).map(
    (timed) =>
      sql`SELECT ${name(block)} AS block FROM ${whole(timed)} WHERE ${isInSeconds(name(timed.partition?.of ?? ''), days)}`,
  )
  const ends = joined(blocks, ' UNION ALL ')
  return sql`${name(block)} BETWEEN (SELECT min(block) FROM (${ends})) AND (SELECT max(block) FROM (${ends}))`
}

/** Rows of the hotspots that the owner has now, and of the account. Tables that name neither stay whole. */
function conditionOfOwner(resource: Resource, owner: string, { whole, written }: Places): readonly Sql[] {
  const isOf = (holder: IdentifierColumn) => holder.resource.name === resource.name
  if (resource === l1Transactions) {
    const hash = name('transaction_hash')
    const named = holdersOf(l1Transactions, 'transaction_hash').filter((holder) => !isOf(holder))
    const hashes = named.map((holder) => sql`SELECT ${name(holder.column)} FROM ${written(holder.resource)}`)
    return [sql`${hash} IN (${joined(hashes, ' UNION ALL ')})`]
  }
  const spelled = (of: Resource, column: string) => spellWallet(of.columns[column]?.wallet, owner)
  const keys = sql`(SELECT ecc_key FROM ${whole(hotspots)} WHERE owner = ${spelled(hotspots, 'owner')})`
  const ofHotspot = [
    ...holdersOf(hotspots, 'ecc_key'),
    { resource: iotWitnessIngestReports, column: 'hotspot_key' },
  ].filter(isOf)
  const ofAccount = holdersOf(hotspots, 'owner').filter(isOf)
  const held = [
    ...ofHotspot.map(({ column }) => sql`${name(column)} IN ${keys}`),
    ...ofAccount.map(({ column }) => sql`${name(column)} = ${spelled(resource, column)}`),
  ]
  if (held.length > 0) return [sql`(${joined(held, ' OR ')})`]
  return [rewardManifests, makers].includes(resource as never) ? [] : [sql`false`]
}
