/** The parts of parquetjs-lite in use; the package has no types. Names and numbers are those of parquet.thrift. */
declare module 'parquetjs-lite/lib/reader.js' {
  /** A signed 64-bit number as eight bytes. */
  export interface Int64 {
    readonly buffer: Buffer
  }

  export interface SchemaElement {
    readonly name: string
    readonly type: number | null
    readonly converted_type: number | null
    readonly precision: number | null
    readonly scale: number | null
    readonly num_children: number | null
  }

  export interface RowGroup {
    readonly num_rows: Int64
    readonly columns: readonly {
      readonly meta_data: { readonly path_in_schema: readonly string[]; readonly num_values: Int64 }
    }[]
  }

  export interface FileMetaData {
    readonly schema: readonly SchemaElement[]
    readonly num_rows: Int64
    readonly row_groups: readonly RowGroup[]
  }

  export class ParquetEnvelopeReader {
    static openFile(path: string): Promise<ParquetEnvelopeReader>
    readFooter(): Promise<FileMetaData>
    close(): Promise<void>
  }

  export class ParquetReader {
    static openFile(path: string): Promise<ParquetReader>
    /** Columns without a value are left out of a row. */
    getCursor(): { next(): Promise<Readonly<Record<string, unknown>> | null> }
    close(): Promise<void>
  }
}

declare module 'parquetjs-lite/gen-nodejs/parquet_types.js' {
  export const Type: Readonly<Record<string, number>>
  export const ConvertedType: Readonly<Record<string, number>>
}
