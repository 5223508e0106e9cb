import { unlink } from 'node:fs/promises'
import type { Kind } from '../../catalog/column.ts'
import type { Resource } from '../../catalog/resource.ts'
import { type FileToRead, lacksOf, pathOf } from '../../lake/data-file.ts'
import type { RowRange } from '../../query/plan.ts'
import { orderBy } from '../sql/compile.ts'
import { columnsOf, duckdbDialect, identifier, literal, scanPaths } from './duckdb-dialect.ts'
import { scanFile } from './scan-files.ts'
import type { Session } from './session.ts'
import { groupRowsOf, noRows, writeParquet } from './write-parquet.ts'

/** Rows of so many bytes are sorted together; the engine needs several times as much. */
const PIECE_BYTES = 32 * 1024 * 1024

/** A file is told of in spans of so many rows. */
const SPAN_ROWS = 2048
const SPANS = 'spans'

/** What a value takes while it is sorted, in bytes, and the kinds whose own length comes on top. */
const VALUE_BYTES = 32
const long: readonly Kind[] = ['bytes', 'json', 'object', 'texts']

/** Values of the leading column of the order from `from` up to but not including `to`, as SQL literals. */
interface Piece {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly files: readonly FileToRead[]
}

/** Writes the rows of ranges of the files given one after the other as one file. */
export async function copyRanges(
  session: Session,
  resource: Resource,
  files: readonly FileToRead[],
  ranges: readonly RowRange[],
  to: string,
): Promise<void> {
  const byPath = new Map(files.map((file) => [pathOf(file), file]))
  const parts = ranges.map(({ file: path, first, end }): Part => {
    const file = byPath.get(path) ?? path
    const where = `file_row_number >= ${first} AND file_row_number < ${end}`
    const select = `SELECT ${columnsOf(resource)} FROM ${scanFile(resource, file)} WHERE ${where}`
    return { file, select, where }
  })
  await writeParts(session, resource, parts, to)
}

/**
 * Writes the rows of sorted files as one sorted file. They are cut into pieces by values of the column that leads the
 * order; only those with rows of several files are sorted, one at a time, since one wide sort of everything would not fit
 * into the writer's memory.
 */
export async function mergeMany(
  session: Session,
  resource: Resource,
  files: readonly FileToRead[],
  to: string,
): Promise<void> {
  const order = orderBy(resource, duckdbDialect)
  const parts = (await cutPieces(session, resource, files)).map((piece): Part => {
    const where = boundsOf(resource, piece)
    const selects = piece.files.map(
      (file) => `SELECT ${columnsOf(resource)} FROM ${scanFile(resource, file)} WHERE ${where}`,
    )
    const [file, ...others] = piece.files
    if (file !== undefined && others.length === 0) return { file, select: selects.join(), where }
    return { select: `SELECT * FROM (${selects.join(' UNION ALL ')}) ORDER BY ${order}` }
  })
  await writeParts(session, resource, parts, to)
}

/** Rows that follow those of the part before: some of one file, in its order, or what a query sorts. */
interface Part {
  readonly select: string
  readonly file?: FileToRead
  /** Which rows of the file. */
  readonly where?: string
}

/**
 * Every part becomes a file, unless it is one, and then one scan goes through all of them with one thread: of several
 * queries in one statement the engine does not always keep the order.
 */
async function writeParts(
  session: Session,
  resource: Resource,
  parts: readonly Part[],
  to: string,
): Promise<void> {
  const paths: string[] = []
  const temporary: string[] = []
  for (const part of parts) {
    const whole = await fileOf(session, resource, part)
    if (whole === undefined) {
      const path = `${to}.${temporary.length}`
      await writeParquet(session, [part.select], path)
      temporary.push(path)
      paths.push(path)
    } else paths.push(whole)
  }
  const all = `SELECT ${columnsOf(resource)} FROM ${scanPaths(paths)}`
  await writeParquet(session, [paths.length === 0 ? noRows(resource) : all], to, groupRowsOf(resource))
  for (const path of temporary) await unlink(path)
}

/** The file that a part is the whole of, if any, with all its columns. */
async function fileOf(
  session: Session,
  resource: Resource,
  { file, where }: Part,
): Promise<string | undefined> {
  if (file === undefined || lacksOf(file).length > 0) return undefined
  const others = `SELECT 1 FROM ${scanFile(resource, file)} WHERE NOT coalesce(${where}, false) LIMIT 1`
  return (await session.tuples(others)).length === 0 ? pathOf(file) : undefined
}

function boundsOf(resource: Resource, { from, to }: Piece): string {
  const lead = identifier(leadOf(resource).column)
  const bounds = [
    ...(from === undefined ? [] : [`${lead} >= ${from}`]),
    ...(to === undefined ? [] : [`${lead} < ${to}`]),
  ]
  return bounds.length === 0 ? 'true' : bounds.join(' AND ')
}

function leadOf({ order, name }: Resource): Resource['order'][number] {
  const [lead] = order
  if (lead === undefined) throw new Error(`${name} has no order`)
  return lead
}

/** Pieces that follow each other in the order of the resource; neighbours of one and the same file are one. */
async function cutPieces(
  session: Session,
  resource: Resource,
  files: readonly FileToRead[],
): Promise<readonly Piece[]> {
  await readSpans(session, resource, files)
  const tuples = await session.tuples(
    `SELECT min(least)::VARCHAR FROM (
       SELECT least, (sum(bytes) OVER (ORDER BY least) - bytes) // ${PIECE_BYTES} AS piece FROM (
         SELECT least, sum(bytes) AS bytes FROM ${SPANS} GROUP BY least))
     GROUP BY piece ORDER BY min(least)`,
  )
  // What begins the first piece is the least value of all.
  const cuts = tuples.map(([value]) => literal(String(value)))
  const pieces: Piece[] = []
  for (const [index, start] of cuts.entries()) {
    const from = index === 0 ? undefined : start
    const to = cuts[index + 1]
    const own = await filesBetween(session, files, from, to)
    const last = pieces.at(-1)
    if (last?.files.length === 1 && own.length === 1 && last.files[0] === own[0])
      pieces[pieces.length - 1] = { ...last, to }
    else pieces.push({ from, to, files: own })
  }
  await session.run(`DROP TABLE ${SPANS}`)
  return leadOf(resource).descending ? pieces.reverse() : pieces
}

/** A table of the spans of every file: least and most value of the leading column, and bytes. */
async function readSpans(session: Session, resource: Resource, files: readonly FileToRead[]): Promise<void> {
  const lead = identifier(leadOf(resource).column)
  const names = Object.keys(resource.columns)
  const lengths = names
    .filter((name) => long.includes(resource.columns[name]?.kind ?? 'text'))
    .map((name) => `coalesce(strlen(${identifier(name)}::VARCHAR), 0)`)
  const bytes = `sum(${[names.length * VALUE_BYTES, ...lengths].join(' + ')})::BIGINT`
  for (const [number, file] of files.entries()) {
    await session.run(
      `${number === 0 ? `CREATE OR REPLACE TEMP TABLE ${SPANS} AS` : `INSERT INTO ${SPANS}`} ` +
        `SELECT ${number} AS file, min(${lead}) AS least, max(${lead}) AS most, ${bytes} AS bytes ` +
        `FROM ${scanFile(resource, file)} GROUP BY file_row_number // ${SPAN_ROWS}`,
    )
  }
}

async function filesBetween(
  session: Session,
  files: readonly FileToRead[],
  from: string | undefined,
  to: string | undefined,
): Promise<readonly FileToRead[]> {
  const tuples = await session.tuples(
    `SELECT DISTINCT file FROM ${SPANS} WHERE ${from === undefined ? 'true' : `most >= ${from}`} ` +
      `AND ${to === undefined ? 'true' : `least < ${to}`} ORDER BY file`,
  )
  return tuples.flatMap(([file]) => files[Number(file)] ?? [])
}
