import { byStorage } from '../../../catalog/by-storage.ts'
import type { Resource } from '../../../catalog/resource.ts'
import type { DataFile } from '../../../lake/facts/data-file.ts'
import type { Footer, FooterGroup } from './read-footer.ts'

/** Parquet types of the Delta types of a schema. */
const parquetTypes = byStorage<string>({
  text: 'BYTE_ARRAY UTF8',
  amount: 'FIXED_LEN_BYTE_ARRAY DECIMAL(20,0)',
  long: 'INT64 INT_64',
  integer: 'INT32 INT_32',
  decimal: 'FIXED_LEN_BYTE_ARRAY DECIMAL(38,18)',
  instant: 'INT64 TIMESTAMP_MICROS',
  boolean: 'BOOLEAN',
  bytes: 'BYTE_ARRAY',
  texts: 'LIST of BYTE_ARRAY UTF8',
})

type LoggedFile = Pick<DataFile, 'rows' | 'lacks'>

/** Returns the first difference of a footer from the log and the schema, as a sentence. */
export function compareFooter(footer: Footer, resource: Resource, file: LoggedFile): string | undefined {
  if (footer.rows !== BigInt(file.rows))
    return `Its footer has ${footer.rows} rows where the log says ${file.rows}.`
  const inGroups = footer.groups.reduce((sum, { rows }) => sum + rows, 0n)
  if (inGroups !== footer.rows)
    return `Its footer has ${footer.rows} rows, and its row groups have ${inGroups}.`
  return compareColumns(footer, resource, file) ?? compareGroups(footer)
}

function compareColumns({ columns }: Footer, resource: Resource, { lacks }: LoggedFile): string | undefined {
  const found = new Map(columns.map(({ name, type }) => [name, type]))
  for (const [name, { kind }] of Object.entries(resource.columns)) {
    const type = found.get(name)
    const isExpected = !lacks.includes(name)
    if (isExpected && type === undefined) return `Its footer lacks the column ${name}.`
    if (isExpected && type !== parquetTypes[kind])
      return `Its footer has the column ${name} as ${type} where the schema says ${parquetTypes[kind]}.`
    if (isExpected) found.delete(name)
  }
  const [more] = found.keys()
  return more && `Its footer has the column ${more}, which the log does not name.`
}

/** Compares each row group with the columns of its file. */
function compareGroups({ columns, groups }: Footer): string | undefined {
  const names = columns.map(({ name }) => name).join()
  for (const [index, group] of groups.entries()) {
    const inGroup = group.columns.map(({ name }) => name).join()
    if (inGroup !== names)
      return `Row group ${index} of its footer has the columns ${inGroup} where the file has ${names}.`
    const short = group.columns.find((column) => hasOtherRows(column, group.rows))
    if (short !== undefined)
      return `Row group ${index} of its footer has ${group.rows} rows, and ${short.values} values of ${short.name}.`
  }
  return undefined
}

function hasOtherRows({ values, isList }: FooterGroup['columns'][number], rows: bigint): boolean {
  return isList ? values < rows : values !== rows
}
