import type { Kind } from '../catalog/column.ts'
import type { Resource } from '../catalog/resource.ts'

/** The Delta type of each kind. */
const deltaTypes: Readonly<Record<Kind, unknown>> = {
  text: 'string',
  choice: 'string',
  amount: 'decimal(20,0)',
  long: 'long',
  integer: 'integer',
  decimal: 'decimal(38,18)',
  instant: 'timestamp',
  bytes: 'binary',
  texts: { type: 'array', elementType: 'string', containsNull: false },
  json: 'string',
}

/** Columns whose values are a folder name and stand in the log, not in the files. */
export function partitionColumns(resource: Resource): readonly string[] {
  return resource.partition === null ? [] : [resource.partition.by]
}

/** The `schemaString` of a table: its columns, then its partition columns. Source: the Delta protocol. */
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
    metadata: { comment: `Month of ${resource.partition?.of}, YYYY-MM.` },
  }))
  return JSON.stringify({ type: 'struct', fields: [...fields, ...partitions] })
}
