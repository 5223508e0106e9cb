import type { Resource } from '../../catalog/resource.ts'
import type { DataFile } from '../../lake/facts/data-file.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'

/** A data file as statements read it. */
export type SqlFile = Pick<DataFile, 'path' | 'lacks' | 'partition' | 'sha256' | 'bytes'>

/** Files of a snapshot by table name, serializable for another process. */
export interface SnapshotFiles {
  readonly id: string
  readonly tables: Readonly<Record<string, readonly SqlFile[]>>
}

export function filesOfSnapshot({ id, tables }: Snapshot): SnapshotFiles {
  const named = tables.map(({ resource, files }) => [resource.name, files.map(toSqlFile)] as const)
  return { id, tables: Object.fromEntries(named) }
}

const toSqlFile = ({ path, lacks, partition, sha256, bytes }: DataFile): SqlFile => ({
  ...{ path, lacks, partition, sha256, bytes },
})

export function filesOfTable({ tables }: SnapshotFiles, { name }: Resource): readonly SqlFile[] {
  return tables[name] ?? []
}
