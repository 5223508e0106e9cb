import type { Resource, Row } from '../catalog/resource.ts'
import { isUuid, keysOfId } from '../derive/key-id.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import type { Predicate } from '../query/plan.ts'
import { Entry } from './entry.ts'

/** Finds the first row that matches. */
type FirstRow = (resource: Resource, where: readonly Predicate[]) => Promise<Row | undefined>

/** The row of an id in any letter case; anything that is no UUID is a value of one of the columns of the lookup. */
export async function findRow(
  first: FirstRow,
  resource: Resource,
  id: string,
  at: Snapshot,
): Promise<Row | undefined> {
  if (isUuid(id)) {
    const where = placeOfId(resource, id.toLowerCase())
    const row = where === undefined ? undefined : await first(resource, where)
    return row && new Entry(resource, row, at).id === id.toLowerCase() ? row : undefined
  }
  // What has a NUL is the key of nothing, and engines would take it for the end of the text.
  if (id.includes('\0')) return undefined
  for (const column of resource.rest?.find?.by ?? []) {
    const row = await first(resource, [{ column, match: 'equals', value: id }])
    if (row !== undefined) return row
  }
  return undefined
}

/** Where the row of an id can be, in a table of ids or among the keys that ids follow from. */
function placeOfId(resource: Resource, id: string): readonly Predicate[] | undefined {
  if ('id' in resource.columns) return [{ column: 'id', match: 'equals', value: id }]
  const keys = keysOfId(id)
  if (keys === undefined || resource.key === undefined) return undefined
  const first: Predicate = { column: resource.key, match: 'atLeast', value: keys.first }
  return keys.end === undefined
    ? [first]
    : [first, { column: resource.key, match: 'atMost', value: keys.end }]
}
