import { isUuid, keysOfId } from '../../base/values/key-id.ts'
import type { Predicate } from '../../catalog/query/plan.ts'
import { spellWallet } from '../../catalog/records/wallet.ts'
import type { Resource, Row } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { idReader } from './entry.ts'

/** Predicates of a lookup, and the id that the row must have. */
export interface Lookup {
  readonly where: readonly Predicate[]
  readonly id?: string
}

/** Returns lookups by UUID, in any case, or by the columns of `rest.find`. */
export function looksFor(resource: Resource, id: string): readonly Lookup[] {
  if (isUuid(id)) {
    const where = predicatesOfId(resource, id.toLowerCase())
    return where === undefined ? [] : [{ where, id: id.toLowerCase() }]
  }
  // No key contains NUL, and engines would end the text there.
  if (id.includes('\0')) return []
  return (resource.rest?.find?.by ?? []).map((column) => ({
    where: [{ column, match: 'equals', value: spellWallet(resource.columns[column]?.wallet, id) }],
  }))
}

export function isMeant({ id }: Lookup, resource: Resource, row: Row, at: Snapshot): boolean {
  return id === undefined || idReader(resource, at)(row) === id
}

/** Predicates for an id, in a table of ids or over the keys that ids encode. */
function predicatesOfId(resource: Resource, id: string): readonly Predicate[] | undefined {
  if ('id' in resource.columns) return [{ column: 'id', match: 'equals', value: id }]
  const keys = keysOfId(id)
  if (keys === undefined || resource.key === undefined) return undefined
  const first: Predicate = { column: resource.key, match: 'atLeast', value: keys.first }
  return keys.end === undefined
    ? [first]
    : [first, { column: resource.key, match: 'atMost', value: keys.end }]
}
