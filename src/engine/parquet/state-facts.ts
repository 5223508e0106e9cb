import type { Resource } from '../../catalog/resource.ts'
import type { StateFacts } from '../../write/ports/ingest-writer.ts'
import { scanFile, sweepOf } from '../duckdb/catalog-sql.ts'
import type { Session } from '../duckdb/session.ts'
import { name, sql } from '../duckdb/sql.ts'
import { countMisplaced } from './read-content.ts'
import { bucketsOf, rankOf } from './upsert-files.ts'

/** Statistics of the keys of a state file, and if it contains the last arriving row of each. */
export async function readStateFacts(
  session: Session,
  resource: Resource,
  path: string,
  arriving: string,
  sources: readonly string[],
): Promise<StateFacts> {
  const work = { session, resource, key: name(resource.key ?? '') }
  let keys = 0
  let missing = 0
  for (const bucket of await bucketsOf(work, [path, arriving])) {
    const inBucket = (file: string) => sql`FROM ${scanFile(resource, file)} WHERE ${bucket}`
    keys += await session.number(sql`SELECT count(*) FROM (SELECT DISTINCT ${work.key} ${inBucket(path)})`)
    missing += await session.number(
      sql`SELECT count(*) FROM (SELECT ${work.key} AS key, max({rank: ${rankOf(sources)}, ordinal: ordinal}) AS last
         ${inBucket(arriving)} GROUP BY ALL)
       WHERE {key: key, last: last} NOT IN (
         SELECT {key: ${work.key}, last: {rank: ${rankOf(sources)}, ordinal: ordinal}} ${inBucket(path)})`,
    )
  }
  const misplaced = await countMisplaced(session, resource, sweepOf(resource, [path]))
  return { keys, missing, misplaced: misplaced.get(0) ?? 0 }
}
