import type { FileMetaData, Int64, SchemaElement } from 'parquetjs-lite/lib/reader.js'

/** Contents of the footer of a Parquet file. */
export interface Footer {
  readonly rows: bigint
  readonly columns: readonly FooterColumn[]
  readonly groups: readonly FooterGroup[]
}

interface FooterColumn {
  readonly name: string
  /** Such as `INT64 TIMESTAMP_MICROS`, or `LIST of BYTE_ARRAY UTF8`. */
  readonly type: string
}

/** A row group with the data of its columns, in the order of the file. */
export interface FooterGroup {
  readonly rows: bigint
  /** The number of values includes nulls. A list has more values than rows. */
  readonly columns: readonly { readonly name: string; readonly values: bigint; readonly isList: boolean }[]
}

/** Reads a footer by another library than the engine that wrote it. Errors: any, for a damaged footer. */
export async function readFooter(path: string): Promise<Footer> {
  // Loaded on first use: most commands read no footer.
  const { ParquetEnvelopeReader } = await import('parquetjs-lite/lib/reader.js')
  const reader = await ParquetEnvelopeReader.openFile(path)
  try {
    const metadata = await reader.readFooter()
    const groups = metadata.row_groups.map(({ num_rows, columns }) => ({
      rows: exact(num_rows),
      columns: columns.map(({ meta_data: { path_in_schema: names, num_values } }) => ({
        ...{ name: names[0] ?? '', values: exact(num_values), isList: names.length > 1 },
      })),
    }))
    return { rows: exact(metadata.num_rows), columns: await columnsOf(metadata), groups }
  } finally {
    await reader.close()
  }
}

const exact = (count: Int64) => count.buffer.readBigInt64BE()

/** Returns the top level of a schema, which is a tree in preorder. */
async function columnsOf({ schema }: FileMetaData): Promise<readonly FooterColumn[]> {
  const { ConvertedType, Type } = await import('parquetjs-lite/gen-nodejs/parquet_types.js')
  const typeOf = ({ type, converted_type, precision, scale }: SchemaElement) => {
    const converted = nameIn(ConvertedType, converted_type)
    const digits = converted === 'DECIMAL' ? `(${precision},${scale})` : ''
    return [nameIn(Type, type), converted + digits].filter((word) => word !== '').join(' ')
  }
  const columns: FooterColumn[] = []
  for (let at = 1; at < schema.length; ) {
    const end = endOf(schema, at)
    const types = schema.slice(at, end).map(typeOf)
    columns.push({
      name: schema[at]?.name ?? '',
      type: types.filter((type) => type !== '').join(' of '),
    })
    at = end
  }
  return columns
}

/** Returns the index after the subtree of an element. */
function endOf(schema: readonly SchemaElement[], at: number): number {
  let end = at + 1
  for (let child = 0; child < (schema[at]?.num_children ?? 0); child += 1) end = endOf(schema, end)
  return end
}

const nameIn = (names: Readonly<Record<string, number>>, value: number | null) =>
  Object.keys(names).find((name) => names[name] === value) ?? ''
