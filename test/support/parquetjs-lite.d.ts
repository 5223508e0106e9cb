declare module 'parquetjs-lite' {
  /** Only what the tests use. Columns without a value are left out of a row. */
  export class ParquetReader {
    static openFile(path: string): Promise<ParquetReader>
    getCursor(): { next(): Promise<Readonly<Record<string, unknown>> | null> }
    close(): Promise<void>
  }
}
