import { fail } from '../../base/errors.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import { holdersOf } from '../../catalog/identities.ts'
import { hotspots } from '../../catalog/l2/hotspots.ts'
import { type StatementHolder, walletsOf } from './holdings.ts'
import type { StatementRead } from './statement-read.ts'

/**
 * Keys and names of a summary that no table has, and unresolved ones.
 * Errors: `not_found` if the statement has no other keys.
 */
export async function unknownKeys(
  { repository: { unknown }, at, reach, signal }: StatementRead,
  holder: StatementHolder,
  summarized: readonly JsonObject[],
): Promise<readonly string[]> {
  const nameless = summarized.filter(({ hotspot_name: name, rows }) => name === null && rows === 0)
  const values = [...new Set(nameless.map(({ hotspot_key: key }) => String(key)))]
  if (values.length === 0) return []
  const identified = { param: 'keys', values, holders: holdersOf(hotspots, 'ecc_key') }
  const { keys = [] } = await unknown.read([identified], reach, at, signal)
  const without = new Set(keys ?? values)
  if (
    walletsOf(holder).length === 0 &&
    keys !== null &&
    summarized.every(({ hotspot_key: key }) => without.has(`${key}`))
  )
    fail(
      'not_found',
      `Hotspots not found: snapshot ${at.id} has none of the keys and names that were given, ${listed(keys)}. Check them.`,
    )
  return [...without]
}

const MOST_LISTED = 10

function listed(keys: readonly string[]): string {
  const more = keys.length - MOST_LISTED
  return keys.slice(0, MOST_LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
