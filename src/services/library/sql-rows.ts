import type { ResultColumn, TextRows } from '../../answers/sql/sql-session.ts'
import type { SqlValue } from './api.ts'

const bigints = new Set(['BIGINT', 'UBIGINT', 'HUGEINT', 'UHUGEINT'])
const numbers = new Set([
  ...['TINYINT', 'SMALLINT', 'INTEGER', 'UTINYINT', 'USMALLINT', 'UINTEGER'],
  ...['FLOAT', 'DOUBLE'],
])

/** Returns the function that reads the text of a value of a DuckDB type. */
function readerOf({ type }: ResultColumn): (text: string) => SqlValue {
  if (bigints.has(type) || /^DECIMAL\(\d+,0\)$/.test(type)) return BigInt
  if (numbers.has(type)) return Number
  if (type === 'BOOLEAN') return (text) => text === 'true'
  return (text) => text
}

/** Converts rows of texts to objects of typed values. */
export async function* typedRows(
  columns: readonly ResultColumn[],
  batches: AsyncIterable<TextRows>,
): AsyncGenerator<Readonly<Record<string, SqlValue>>> {
  const readers = columns.map(readerOf)
  for await (const batch of batches)
    for (const texts of batch)
      yield Object.fromEntries(
        columns.map(({ name }, place) => {
          const text = texts[place] ?? null
          return [name, text === null ? null : (readers[place]?.(text) ?? null)]
        }),
      )
}
