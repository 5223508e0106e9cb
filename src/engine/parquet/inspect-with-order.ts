import type { Resource } from '../../catalog/resource.ts'
import type { FileToRead } from '../../lake/facts/data-file.ts'
import type { InspectedFile } from '../../lake/ports/content-reader.ts'
import { sweepOf } from '../duckdb/catalog-sql.ts'
import type { Session } from '../duckdb/session.ts'
import { inspectFiles } from './inspect.ts'
import { countMisplaced } from './read-content.ts'

/** Inspects files that lack the same columns, and checks their order. Errors: those of DuckDB. */
export async function inspectWithOrder(
  session: Session,
  resource: Resource,
  files: readonly FileToRead[],
): Promise<readonly InspectedFile[]> {
  const misplaced = await countMisplaced(session, resource, sweepOf(resource, files))
  const facts = await inspectFiles(session, resource, files)
  return facts.map((fileFacts, index) => ({ ...fileFacts, misplaced: misplaced.get(index) ?? 0 }))
}
