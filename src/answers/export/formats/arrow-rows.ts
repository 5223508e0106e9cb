import { Field, makeData, RecordBatch, Schema, Struct } from 'apache-arrow'
import type { ResultColumn, TextRows } from '../../../engine/duckdb/confined/confined-session.ts'
import { PieceWriter } from './arrow.ts'
import { arrowCells } from './text-cells.ts'

/** Writes the rows of `arrowSelect` of SQL as an Arrow IPC stream, a record batch for each chunk. */
export async function* writeArrowRows(
  columns: readonly ResultColumn[],
  chunks: AsyncIterable<TextRows>,
): AsyncGenerator<Uint8Array> {
  const cells = columns.map(arrowCells)
  const fields = columns.map(({ name, type }, index) => {
    const arrowType = cells[index]?.type
    return new Field(name, arrowType as never, true, new Map([['duckdb_type', type]]))
  })
  const schema = new Schema(fields)
  const writer = new PieceWriter()
  writer.reset(undefined, schema)
  for await (const rows of chunks) {
    const children = cells.map(({ column }, index) => column(rows.map((row) => row[index] ?? null)))
    const data = makeData({ type: new Struct(fields), length: rows.length, nullCount: 0, children })
    writer.write(new RecordBatch(schema, data))
    yield* writer.take()
  }
  writer.finish()
  yield* writer.take()
}
