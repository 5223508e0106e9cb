import type { Resource, Row } from '../catalog/resource.ts'
import { keysOfId } from '../derive/key-id.ts'
import type { Engine } from '../engine/engine.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import type { Predicate } from '../query/plan.ts'
import { idOf } from './ids.ts'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The row of an id in any letter case; anything that is no UUID is a value of one of the columns of the lookup. */
export async function findRow(
  engine: Engine,
  resource: Resource,
  id: string,
  at: Snapshot,
  signal?: AbortSignal,
): Promise<Row | undefined> {
  if (UUID.test(id)) {
    const row = await firstRow(engine, resource, placeOfId(resource, id.toLowerCase()), at, signal)
    return row !== undefined && idOf(resource, row, at) === id.toLowerCase() ? row : undefined
  }
  // What has a NUL is the key of nothing, and engines would take it for the end of the text.
  if (id.includes('\0')) return undefined
  for (const column of resource.rest?.find?.by ?? []) {
    const row = await firstRow(engine, resource, [{ column, match: 'equals', value: id }], at, signal)
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

async function firstRow(
  engine: Engine,
  resource: Resource,
  where: readonly Predicate[] | undefined,
  at: Snapshot,
  signal: AbortSignal | undefined,
): Promise<Row | undefined> {
  if (where === undefined) return undefined
  const plan = { resource, where, columns: Object.keys(resource.columns), limit: 1, offset: 0 }
  return (await engine.rows(plan, at, signal))[0]
}
