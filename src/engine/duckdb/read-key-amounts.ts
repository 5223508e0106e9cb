import { groupedBy, type Resource } from '../../catalog/resource.ts'
import type { AmountsOfKeys, KeyAmounts, KeyAmountsRead } from '../../lake/key-amounts-reader.ts'
import { scanFiles } from './catalog-sql.ts'
import { numberKeys } from './number-keys.ts'
import type { Session } from './session.ts'
import { joined, name, sql } from './sql.ts'

const KEYS = name('summed keys')
const GROUPS = name('summed groups')
const AMOUNTS = name('amounts of keys')

/**
 * Numbers the keys, and gathers the amounts of all rows in a table, which spills; then one group after the other is read, so that one of
 * them is in memory at a time. Amounts of a key are few, and adding them here would hash every row once more.
 */
export async function readKeyAmounts(
  session: Session,
  resource: Resource,
  read: KeyAmountsRead,
): Promise<KeyAmounts> {
  const { period, type } = groupedBy(resource)
  const key = name(read.key)
  const columns = [name(period), name(type)]
  const groups = read.groups.map(
    (own, id) => sql`(make_timestamptz(${own.period}), ${own.type}, ${id}::INTEGER)`,
  )
  const rows = sql`${scanFiles(resource, read.files)} AS rows JOIN ${GROUPS} AS groups USING (${columns})`
  const amounts = read.of.map((column) => sql`coalesce(rows.${name(column)}, 0)`)
  await session.run(
    sql`CREATE OR REPLACE TEMP TABLE ${GROUPS} AS
        SELECT * FROM (VALUES ${groups}) AS groups (${[...columns, name('grouped')]})`,
  )
  await numberKeys(session, KEYS, key, rows)
  await session.run(
    sql`CREATE OR REPLACE TEMP TABLE ${AMOUNTS} AS
        SELECT groups.grouped, keys.place, ${joined(amounts, ' + ')} AS amount
        FROM ${rows} JOIN ${KEYS} AS keys ON rows.${key} = keys.key`,
  )
  await session.run(sql`DROP TABLE ${GROUPS}`)
  const [keys = []] = await session.columns<readonly [string[]]>(sql`SELECT key FROM ${KEYS} ORDER BY place`)
  await session.run(sql`DROP TABLE ${KEYS}`)
  return { keys, groups: readAmounts(session, read.groups.length) }
}

async function* readAmounts(session: Session, groups: number): AsyncGenerator<AmountsOfKeys> {
  try {
    for (let group = 0; group < groups; group += 1) {
      const [places = [], amounts = []] = await session.columns<readonly [number[], bigint[]]>(
        sql`SELECT place, amount::HUGEINT FROM ${AMOUNTS} WHERE grouped = ${group}`,
      )
      yield { places, amounts }
    }
  } finally {
    await session.run(sql`DROP TABLE IF EXISTS ${AMOUNTS}`)
  }
}
