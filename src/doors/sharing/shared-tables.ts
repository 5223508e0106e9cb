import { fail } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot, TableSnapshot } from '../../lake/snapshot/snapshot.ts'

/** The only share and its only schema. */
export const SHARE = 'ledgerlake'
export const SCHEMA = 'default'

/** Tables without REST and GraphQL are internal. */
function isShared({ rest, graphql }: Resource): boolean {
  return rest !== undefined || graphql !== undefined
}

/** Shared tables of a snapshot, sorted by name. */
export function sharedTables(at: Snapshot | undefined): readonly TableSnapshot[] {
  const tables = at?.tables ?? []
  return tables
    .filter(({ resource }) => isShared(resource))
    .sort((a, b) => (a.resource.name < b.resource.name ? -1 : 1))
}

const isSameName = (given: string, name: string) => given.toLowerCase() === name

/** Requires the names of the share and schema; letter case does not matter. Errors: `not_found`. */
export function requireShare(share = '', schema?: string): void {
  if (!isSameName(share, SHARE)) fail('not_found', `There is no share ${quoted(share)}; there is ${SHARE}.`)
  if (schema !== undefined && !isSameName(schema, SCHEMA))
    fail('not_found', `There is no schema ${quoted(schema)} in ${SHARE}; there is ${SCHEMA}.`)
}

/** Errors: `not_found`. */
export function sharedTable(at: Snapshot | undefined, name: string): TableSnapshot {
  const tables = sharedTables(at)
  const table = tables.find(({ resource }) => isSameName(name, resource.name))
  if (table !== undefined) return table
  const names = tables.map(({ resource }) => resource.name).join(', ')
  const hint = names === '' ? 'nothing has been ingested yet' : `there are ${names}`
  return fail('not_found', `There is no table ${quoted(name)} in ${SHARE}.${SCHEMA}; ${hint}.`)
}
