import { writeViewsFile } from '../../engine/duckdb/confined/write-views-file.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { lakeViews, snapshotView } from './lake-views.ts'
import { filesOfSnapshot } from './snapshot-files.ts'

/** Writes a DuckDB file with the views over one snapshot, whose files are named as the snapshot names them. Errors: those of DuckDB. */
export async function writeLakeViews(path: string, at: Snapshot): Promise<void> {
  await writeViewsFile(path, lakeViews(filesOfSnapshot(at)))
}

/** Whether the content of a file is one that `writeLakeViews` wrote; told without DuckDB, which a reader of it may have open. */
export function isViewsFile(content: Buffer): boolean {
  return content.subarray(8, 12).toString() === 'DUCK' && content.includes(snapshotView)
}
