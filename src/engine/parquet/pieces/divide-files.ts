import type { Kind } from '../../../catalog/column.ts'
import type { OrderStep, Resource } from '../../../catalog/resource.ts'
import type { FileToRead } from '../../../lake/facts/data-file.ts'
import { columnTypeOf, scanFile } from '../../duckdb/catalog-sql.ts'
import type { Session } from '../../duckdb/session.ts'
import { joined, name, sql } from '../../duckdb/sql.ts'
import { cutPieces, isInPiece, type ValuePiece } from './sort-pieces.ts'

/** Rows per span of the size estimate. */
const SPAN_ROWS = 2048
const SPANS = name('spans')

/** Sort memory per value in bytes, and the kinds that add their length. */
const VALUE_BYTES = 32
const long: readonly Kind[] = ['bytes', 'json', 'object', 'texts']

/** A piece, and the files with rows in it. */
interface SharedPiece extends ValuePiece {
  readonly files: readonly FileToRead[]
}

/** Divides sorted files into consecutive pieces; neighbors of a single file are joined. */
export async function divideFiles(
  session: Session,
  resource: Resource,
  lead: OrderStep,
  files: readonly FileToRead[],
): Promise<readonly SharedPiece[]> {
  await readSpans(session, resource, lead, files)
  const pieces: SharedPiece[] = []
  for (const piece of await cutPieces(session, sql`SELECT least AS value, bytes FROM ${SPANS}`)) {
    const pieceFiles = await filesOf(session, files, piece)
    const last = pieces.at(-1)
    if (last?.files.length === 1 && pieceFiles.length === 1 && last.files[0] === pieceFiles[0])
      pieces[pieces.length - 1] = { ...last, to: piece.to }
    else pieces.push({ ...piece, files: pieceFiles })
  }
  await session.run(sql`DROP TABLE ${SPANS}`)
  return lead.descending ? pieces.reverse() : pieces
}

/** Creates a table of spans: bounds of the leading column, and bytes. */
async function readSpans(
  session: Session,
  resource: Resource,
  lead: OrderStep,
  files: readonly FileToRead[],
): Promise<void> {
  const columns = Object.entries(resource.columns)
  const lengths = columns
    .filter(([, { kind }]) => long.includes(kind))
    .map(([column]) => sql`coalesce(strlen(${name(column)}::VARCHAR), 0)`)
  const bytes = joined([sql`${columns.length * VALUE_BYTES}`, ...lengths], ' + ')
  const value = name(lead.column)
  const type = columnTypeOf(resource.columns[lead.column]?.kind ?? 'text')
  await session.run(
    sql`CREATE OR REPLACE TEMP TABLE ${SPANS} (file INTEGER, least ${type}, most ${type}, bytes BIGINT)`,
  )
  for (const [number, file] of files.entries()) {
    await session.run(
      sql`INSERT INTO ${SPANS} SELECT ${number}, min(${value}), max(${value}), sum(${bytes})
          FROM ${scanFile(resource, file)} GROUP BY file_row_number // ${SPAN_ROWS}`,
    )
  }
}

async function filesOf(
  session: Session,
  files: readonly FileToRead[],
  piece: ValuePiece,
): Promise<readonly FileToRead[]> {
  const isInside = isInPiece(piece, sql`most`, sql`least`)
  const numbers = await session.tuples(
    sql`SELECT DISTINCT file FROM ${SPANS} WHERE ${isInside} ORDER BY file`,
  )
  return numbers.flatMap(([file]) => files[Number(file)] ?? [])
}
