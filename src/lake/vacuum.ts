import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Resource } from '../catalog/resource.ts'
import { resources } from '../catalog/resources.ts'
import { clearRun } from './clear-run.ts'
import { readNamedPaths } from './delta-log.ts'
import { isMissing } from './disk.ts'
import { isDataFilePath, logFolder, runFolder, stagingFolder, tableFolder } from './layout.ts'
import { takeAbandoned } from './run-folder.ts'
import { removeUnneededFacts } from './vacuum-facts.ts'

export interface VacuumRequest {
  readonly lake: string
  /** Versions that were the newest within so many hours keep their files. */
  readonly keepHours: number
  /** Removes nothing. */
  readonly isDryRun: boolean
  /** Milliseconds since 1970; the clock unless given. */
  readonly now?: number
}

/** Data files of one table that are removed. */
export interface VacuumedTable {
  readonly table: string
  /** Paths relative to the table. */
  readonly paths: readonly string[]
  readonly bytes: number
}

interface FoundFile {
  readonly path: string
  readonly bytes: number
  readonly changedAt: number
}

const HOUR_MS = 3_600_000

/**
 * Removes the data files that no kept version names: those that a commit removed longer ago than is kept, and those that
 * no version names, as old, that no run holds; with them go their facts. Entries of the log stay.
 * Nothing is removed before every log was read. Errors: `lake_damaged`; those of the file system.
 */
export async function vacuum(request: VacuumRequest): Promise<readonly VacuumedTable[]> {
  const { lake, keepHours, isDryRun, now = Date.now() } = request
  if (!isDryRun) await clearDeadRuns(lake)
  const found: (VacuumedTable & { readonly folder: string })[] = []
  for (const resource of resources) {
    const folder = tableFolder(lake, resource)
    const files = await unneededFiles(lake, resource, now - keepHours * HOUR_MS)
    const paths = files.map(({ path }) => path).sort()
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    if (files.length > 0) found.push({ table: resource.name, paths, bytes, folder })
  }
  if (!isDryRun) {
    for (const { folder, paths } of found)
      for (const path of paths) await rm(join(folder, path), { force: true })
    for (const resource of resources) await removeUnneededFacts(tableFolder(lake, resource))
  }
  return found.map(({ table, paths, bytes }) => ({ table, paths, bytes }))
}

/** What cannot be cleared stays with its run. */
async function clearDeadRuns(lake: string): Promise<void> {
  const abandoned = await takeAbandoned(stagingFolder(lake)).catch(() => [])
  for (const folder of abandoned) await clearRun(lake, folder).catch(() => {})
}

/**
 * The order matters: a file that was there, and that no run holds any more a moment later, has been committed or removed
 * before the log is read.
 */
async function unneededFiles(
  lake: string,
  resource: Resource,
  horizon: number,
): Promise<readonly FoundFile[]> {
  const folder = tableFolder(lake, resource)
  if (!(await isThere(logFolder(folder)))) return []
  const files = await findDataFiles(folder)
  const held = await findHeld(lake, resource)
  const named = await readNamedPaths(folder)
  return files.filter(({ path, changedAt }) => {
    const removedAt = named.get(path)
    if (removedAt !== undefined) return removedAt <= horizon
    return changedAt <= horizon && !held.has(path)
  })
}

/** Data files of a table, live or not; whatever else lies there is not looked at. */
async function findDataFiles(folder: string): Promise<readonly FoundFile[]> {
  const files: FoundFile[] = []
  for (const path of await pathsBelow(folder)) {
    const found = await stat(join(folder, path)).catch(unlessMissing)
    if (found !== undefined) files.push({ path, bytes: found.size, changedAt: found.mtimeMs })
  }
  return files
}

/** Paths that runs have staged, of which some may be linked and not committed yet. */
async function findHeld(lake: string, resource: Resource): Promise<ReadonlySet<string>> {
  const held = new Set<string>()
  for (const run of (await readdir(stagingFolder(lake)).catch(unlessMissing)) ?? []) {
    for (const path of await pathsBelow(tableFolder(runFolder(lake, run), resource))) held.add(path)
  }
  return held
}

/** Plain files in a folder and its partitions that have the name of a data file; none when there is no folder. */
async function pathsBelow(folder: string): Promise<readonly string[]> {
  const paths: string[] = []
  const entries = (await readdir(folder, { withFileTypes: true }).catch(unlessMissing)) ?? []
  for (const entry of entries) {
    if (entry.isFile()) paths.push(entry.name)
    if (!entry.isDirectory() || entry.name.startsWith('_')) continue
    const inside = await readdir(join(folder, entry.name), { withFileTypes: true }).catch(unlessMissing)
    for (const file of inside ?? []) if (file.isFile()) paths.push(`${entry.name}/${file.name}`)
  }
  return paths.filter(isDataFilePath)
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(unlessMissing)) !== undefined
}

/** Another program may remove what was just listed. */
function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}
