import { bigintOf } from '../catalog/column.ts'
import type { Resource, Row } from '../catalog/resource.ts'
import { keyId } from '../derive/key-id.ts'
import { fail } from '../errors.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import { rowId } from '../lake/source.ts'

/** The id of a row: the one that its import brought, or one that leads back to its key or to its place in its source. Errors: `lake_damaged`. */
export function idOf(resource: Resource, row: Row, at: Snapshot): string {
  if ('id' in resource.columns) return String(row.id)
  if (resource.key !== undefined) return keyId(String(row[resource.key]))
  const sources = at.table(resource).sourcesNamed(String(row.source_file))
  const ofKind = (start: string) => sources.find((source) => source.kind.startsWith(start))
  const own = ofKind(`${row.reward_type}_`) ?? ofKind('network_') ?? sources[0]
  if (own === undefined) {
    const told = `A file of ${resource.name} has a row of ${row.source_file}, which the log of the table does not name`
    fail('lake_damaged', `${told}; restore the table from a copy.`)
  }
  return rowId(own, bigintOf(row.ordinal))
}

/** Columns of a row that its id follows from; the type tells manifests of both networks apart. */
export function idColumns({ columns }: Resource): readonly string[] {
  return ['source_file', 'ordinal', 'reward_type'].filter((column) => column in columns)
}
