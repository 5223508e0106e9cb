import { fail } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot, TableSnapshot } from '../../lake/snapshot/snapshot.ts'

/** The one share, with one schema that has every table. */
export const SHARE = 'ledgerlake'
export const SCHEMA = 'default'

/** Whether callers may ask a table in any way: what only the lake itself needs has no operation, and is not shared. */
function isShared({ rest, graphql }: Resource): boolean {
  return rest !== undefined || graphql !== undefined
}

/** The shared tables that exist, by name. */
export function sharedTables(at: Snapshot | undefined): readonly TableSnapshot[] {
  const tables = at?.tables ?? []
  return tables
    .filter(({ resource }) => isShared(resource))
    .sort((a, b) => (a.resource.name < b.resource.name ? -1 : 1))
}

const isSame = (given: string, name: string) => given.toLowerCase() === name

/** Names are compared without case, as the protocol wants it. Errors: `not_found`. */
export function requireShare(share = '', schema?: string): void {
  if (!isSame(share, SHARE)) fail('not_found', `There is no share ${quoted(share)}; there is ${SHARE}.`)
  if (schema !== undefined && !isSame(schema, SCHEMA))
    fail('not_found', `There is no schema ${quoted(schema)} in ${SHARE}; there is ${SCHEMA}.`)
}

/** Errors: `not_found`. */
export function sharedTable(at: Snapshot | undefined, name: string): TableSnapshot {
  const tables = sharedTables(at)
  const found = tables.find(({ resource }) => isSame(name, resource.name))
  if (found !== undefined) return found
  const names = tables.map(({ resource }) => resource.name).join(', ')
  const others = names === '' ? 'nothing has been ingested yet' : `there are ${names}`
  return fail('not_found', `There is no table ${quoted(name)} in ${SHARE}.${SCHEMA}; ${others}.`)
}
