import type { OrderStep, Resource } from '../../catalog/resource.ts'
import type { ContentFacts } from '../../lake/compaction-writer.ts'
import { type FileToRead, pathOf } from '../../lake/data-file.ts'
import { unlessDamage } from './damage.ts'
import { columnsOf, filePattern, identifier, literal } from './duckdb-dialect.ts'
import { scanFile } from './scan-files.ts'
import type { Session } from './session.ts'

/** Errors: `lake_damaged` when the file cannot be read. */
export async function readContent(
  session: Session,
  resource: Resource,
  file: FileToRead,
): Promise<ContentFacts> {
  const content = `SELECT count(*), coalesce(sum(hash(${columnsOf(resource)})), 0)::HUGEINT FROM ${scanFile(resource, file)}`
  try {
    const [[rows, digest] = [0n, 0n]] = await session.tuples<[bigint, bigint]>(content)
    const misplaced = await countMisplaced(session, resource, file)
    return { rows: Number(rows), digest, misplaced }
  } catch (error) {
    throw unlessDamage(error, pathOf(file))
  }
}

/** Rows that do not come after the row before them. */
async function countMisplaced(session: Session, resource: Resource, file: FileToRead): Promise<number> {
  const before = (index: number) => `before_${index}`
  const { order } = resource
  const lagged = order.flatMap(({ column }, index) => {
    const own = identifier(column)
    return [own, `lag(${own}) OVER () AS ${before(index)}`]
  })
  const inOrder = order.reduceRight((later, step, index) => {
    const [own, last] = [identifier(step.column), before(index)]
    return `(${comesAfter(step, own, last)} OR (${own} IS NOT DISTINCT FROM ${last} AND ${later}))`
  }, 'false')
  return await session.number(
    `SELECT count(*) FROM (SELECT ${lagged.join(', ')}, file_row_number AS n FROM ${scanFile(resource, file)}) ` +
      `WHERE n > 0 AND NOT coalesce(${inOrder}, false)`,
  )
}

/** Nulls come first in either direction. */
function comesAfter({ descending }: OrderStep, own: string, before: string): string {
  const compared = `${own} ${descending ? '<' : '>'} ${before}`
  return `coalesce(${compared}, ${before} IS NULL AND ${own} IS NOT NULL)`
}

/** Row groups of a file. Errors: `lake_damaged` when the file cannot be read. */
export async function countRowGroups(session: Session, file: string): Promise<number> {
  const metadata = `SELECT num_row_groups FROM parquet_file_metadata(${literal(filePattern(file))})`
  try {
    return await session.number(metadata)
  } catch (error) {
    throw unlessDamage(error, file)
  }
}
