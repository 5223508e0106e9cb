import { deepStrictEqual } from 'node:assert/strict'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { writeInstant } from '../../src/base/values/instant.ts'
import type { Json, JsonObject } from '../../src/base/values/json-writer.ts'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../../src/catalog/l2/mobile-reward-shares.ts'
import { rewardManifests } from '../../src/catalog/l2/reward-manifests.ts'
import type { Resource } from '../../src/catalog/resource.ts'
import type { Snapshot } from '../../src/lake/snapshot/snapshot.ts'
import type { Question } from './questions.ts'

/**
 * A second opinion in SQL of its own over the same files. Amounts are HUGEINT from the file to the answer; a byte
 * count is rounded half up by floor((floor(2x) + 1) / 2).
 */
export interface Checker {
  /** Throws when the answer is not that of the files. */
  check(question: Question, answer: JsonObject): Promise<void>
  close(): void
}

const amountsOf: Readonly<Record<string, readonly string[]>> = {
  [iotRewardShares.name]: ['beacon_amount', 'witness_amount', 'dc_transfer_amount', 'amount'],
  [mobileRewardShares.name]: [
    'dc_transfer_reward',
    'poc_reward',
    'base_poc_reward',
    'boosted_poc_reward',
    'subscriber_reward',
    'discovery_location_amount',
    'amount',
    'service_provider_amount',
    'matched_amount',
  ],
}

const totalsOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [iotRewardShares.name]: {
    total_beacon_amount: 'beacon_amount',
    total_witness_amount: 'witness_amount',
    total_dc_transfer_amount: 'dc_transfer_amount',
    total_amount: 'amount',
  },
  [mobileRewardShares.name]: {
    total_dc_transfer_reward: 'dc_transfer_reward',
    total_poc_reward: 'poc_reward',
    total_subscriber_reward: 'subscriber_reward',
    total_discovery_location_amount: 'discovery_location_amount',
    total_service_provider_amount: 'service_provider_amount',
    total_matched_amount: 'matched_amount',
    total_offloaded_bytes: '((2 * 2147483648 * dc_transfer_reward) // manifest_price + 1) // 2',
  },
}

export async function openChecker(at: Snapshot): Promise<Checker> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run("SET TimeZone = 'UTC'")
  for (const resource of [iotRewardShares, mobileRewardShares]) await load(connection, resource, at)

  const select = async (text: string) => (await connection.runAndReadAll(text)).getRowObjectsJS()
  return {
    async check(question, answer) {
      if (question.verb === 'totals') deepStrictEqual({ ...answer }, await totals(question, select))
      else
        deepStrictEqual(
          (answer.records as readonly JsonObject[]).map(facets(question)),
          await page(question, select),
        )
    },
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

type Select = (text: string) => Promise<Record<string, unknown>[]>

/** Every row of a table with its position in the whole list and the price of its manifest. */
async function load(connection: DuckDBConnection, resource: Resource, at: Snapshot): Promise<void> {
  const amounts = (amountsOf[resource.name] ?? []).map((column) => `${column}::HUGEINT AS ${column}`)
  await connection.run(
    `CREATE TABLE ${resource.name} AS
     SELECT row_number() OVER (ORDER BY end_period, reward_type, source_file, hotspot_key NULLS FIRST, ordinal) - 1
              AS position,
            epoch_us(end_period) AS end_us, reward_type, hotspot_key, manifest_price, ${amounts.join(', ')}
     FROM ${filesOf(resource, at)}
     LEFT JOIN (SELECT unnest(written_files) AS source_file, nullif(price, 0)::HUGEINT AS manifest_price
                FROM ${filesOf(rewardManifests, at)}) USING (source_file)`,
  )
}

function filesOf(resource: Resource, at: Snapshot): string {
  const paths = at.table(resource).files.map((file) => `'${file.path.replaceAll("'", "''")}'`)
  return `read_parquet([${paths.join(', ')}], hive_partitioning = false)`
}

async function totals({ resource, query }: Question, select: Select): Promise<Record<string, unknown>> {
  const { from, to, hotspot_key, reward_type } = query.filters
  const sums = Object.entries(totalsOf[resource.name] ?? {}).map(([name, value]) => {
    return `coalesce(sum(${value}), 0)::HUGEINT AS ${name}`
  })
  const terms = [`end_us BETWEEN ${from} AND ${to}`]
  if (hotspot_key !== undefined) terms.push(`hotspot_key = '${hotspot_key}'`)
  if (reward_type !== undefined) terms.push(`reward_type = '${reward_type}'`)
  const [row] = await select(`SELECT ${sums.join(', ')} FROM ${resource.name} WHERE ${terms.join(' AND ')}`)
  return { ...row }
}

/** Pages are asked of the whole range, so a page is a range of positions. */
async function page({ resource, query }: Question, select: Select): Promise<readonly unknown[]> {
  const first = (query.page - 1) * query.perPage
  const rows = await select(
    `SELECT * FROM ${resource.name} WHERE position >= ${first} AND position < ${first + query.perPage}
     ORDER BY position`,
  )
  const columns = amountsOf[resource.name] ?? []
  return rows.map((row) => {
    const amounts = columns.map((column) => row[column] ?? null)
    return [writeInstant(row.end_us as bigint), row.reward_type, row.hotspot_key, ...amounts]
  })
}

/** What a record says of the columns that are compared. */
function facets({ resource }: Question): (record: JsonObject) => readonly Json[] {
  const columns = ['hotspot_key', ...(amountsOf[resource.name] ?? [])]
  return (record) => {
    const detail = record.reward_detail as JsonObject
    const values = columns.map((column) => detail[column] ?? null)
    return [record.end_period ?? null, record.reward_type ?? null, ...values]
  }
}
