import type { Resource } from '../../catalog/resource.ts'
import type { InspectedFile } from '../../lake/content-reader.ts'
import type { FileToRead } from '../../lake/data-file.ts'
import { sweepOf } from './catalog-sql.ts'
import { inspectFiles } from './inspect.ts'
import { countMisplaced } from './read-content.ts'
import type { Session } from './session.ts'

/** Reads files back that lack the same columns, and whether their rows are in order. Errors: those of DuckDB. */
export async function inspectWithOrder(
  session: Session,
  resource: Resource,
  files: readonly FileToRead[],
): Promise<readonly InspectedFile[]> {
  const misplaced = await countMisplaced(session, resource, sweepOf(resource, files))
  const facts = await inspectFiles(session, resource, files)
  return facts.map((own, place) => ({ ...own, misplaced: misplaced.get(place) ?? 0 }))
}
