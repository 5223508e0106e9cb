import { open } from 'node:fs/promises'

/** Where files of a format have its mark. Sources: the storage format of DuckDB, and parquet-format. */
const marks = [
  { name: /\.(duckdb|db)$/, start: 8, mark: Buffer.from('DUCK') },
  { name: /\.parquet$/, start: 0, mark: Buffer.from('PAR1') },
]

/** Returns true for a DuckDB or Parquet file, which may be an export. */
export async function isExported(path: string): Promise<boolean> {
  const format = marks.find(({ name }) => name.test(path))
  if (format === undefined) return false
  const file = await open(path).catch(() => undefined)
  try {
    const { start, mark } = format
    const read = await file?.read(Buffer.alloc(mark.length), 0, mark.length, start)
    return read?.buffer.equals(mark) ?? false
  } finally {
    await file?.close()
  }
}
