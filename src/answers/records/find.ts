import { isUuid, keysOfId } from '../../base/values/key-id.ts'
import type { Predicate } from '../../catalog/query/plan.ts'
import { spellWallet } from '../../catalog/records/wallet.ts'
import type { Resource, Row } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { Entry } from './entry.ts'

/** Where the row of a lookup may be, and what its id has to be then. */
export interface Look {
  readonly where: readonly Predicate[]
  readonly id?: string
}

/** An id in any letter case is looked for as such; anything that is no UUID is a value of one of the columns of the lookup. */
export function looksFor(resource: Resource, id: string): readonly Look[] {
  if (isUuid(id)) {
    const where = placeOfId(resource, id.toLowerCase())
    return where === undefined ? [] : [{ where, id: id.toLowerCase() }]
  }
  // What has a NUL is the key of nothing, and engines would take it for the end of the text.
  if (id.includes('\0')) return []
  return (resource.rest?.find?.by ?? []).map((column) => ({
    where: [{ column, match: 'equals', value: spellWallet(resource.columns[column]?.wallet, id) }],
  }))
}

/** Whether the first row that was found is the one that was looked for. */
export function isMeant({ id }: Look, resource: Resource, row: Row, at: Snapshot): boolean {
  return id === undefined || new Entry(resource, row, at).id === id
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
