import { join } from 'node:path'
import type { Resource } from '../catalog/resource.ts'

/** Where things lie below the folder of a lake. */

export function tableFolder(lake: string, resource: Resource): string {
  return join(lake, resource.name)
}

export function logFolder(table: string): string {
  return join(table, '_delta_log')
}

/** The log entry of a version, `_delta_log/00000000000000000007.json`. */
export function logEntryPath(table: string, version: number): string {
  return join(logFolder(table), `${String(version).padStart(20, '0')}.json`)
}

/** Path of a new data file relative to its table. File names are unique and never used again. */
export function dataFilePath(month: string | null, uniqueName: string): string {
  const file = `part-${uniqueName}.parquet`
  return month === null ? file : `month=${month}/${file}`
}

/** Files that exist but that no reader can see yet, a folder a run. */
export function stagingFolder(lake: string): string {
  return join(lake, '_staging')
}

/** Derived structures: may be deleted at any time. */
export function defaultStateFolder(lake: string): string {
  return join(lake, '_state')
}
