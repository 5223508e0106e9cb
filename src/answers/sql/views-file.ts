import { writeViewsFile } from '../../engine/duckdb/confined/write-views-file.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { lakeViews, snapshotView } from './lake-views.ts'
import { filesOfSnapshot } from './snapshot-files.ts'

/** Writes a DuckDB file with views over a snapshot. Errors: those of DuckDB. */
export async function writeLakeViews(path: string, at: Snapshot): Promise<void> {
  await writeViewsFile(path, lakeViews(filesOfSnapshot(at)))
}

/** Recognizes a file of `writeLakeViews` without DuckDB, which another reader may have open. */
export function isViewsFile(content: Buffer): boolean {
  return content.subarray(8, 12).toString() === 'DUCK' && content.includes(snapshotView)
}
