import { byStorage } from './by-storage.ts'
import type { Resource } from './resource.ts'

const deltaTypes = byStorage<unknown>({
  text: 'string',
  amount: 'decimal(20,0)',
  long: 'long',
  integer: 'integer',
  decimal: 'decimal(38,18)',
  instant: 'timestamp',
  boolean: 'boolean',
  bytes: 'binary',
  texts: { type: 'array', elementType: 'string', containsNull: false },
})

/** Returns the partition columns. Their values are folder names and are in the log, not in the files. */
export function partitionColumns(resource: Resource): readonly string[] {
  return resource.partition === null ? [] : [resource.partition.by]
}

export function partitionMeaning({ partition }: Resource): string {
  return partition?.by === 'month'
    ? `Month of ${partition.of}, YYYY-MM.`
    : `First of the 100,000 blocks that ${partition?.of} lies in.`
}

/** Returns the `schemaString` of a table: columns, then partition columns. Source: the Delta protocol. */
export function deltaSchema(resource: Resource): string {
  const fields = Object.entries(resource.columns).map(([name, column]) => ({
    name,
    type: deltaTypes[column.kind],
    nullable: column.nullable,
    metadata: { comment: column.doc },
  }))
  const partitions = partitionColumns(resource).map((name) => ({
    name,
    type: 'string',
    nullable: false,
    metadata: { comment: partitionMeaning(resource) },
  }))
  return JSON.stringify({ type: 'struct', fields: [...fields, ...partitions] })
}
