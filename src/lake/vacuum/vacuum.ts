import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '../../base/errors.ts'
import type { Resource } from '../../catalog/resource.ts'
import { resources } from '../../catalog/resources.ts'
import { entriesIn, unlessMissing } from '../disk/disk.ts'
import {
  isDataFilePath,
  logFolder,
  readersFolder,
  runFolder,
  stagingFolder,
  tableFolder,
} from '../disk/layout.ts'
import { readOriginMark } from '../disk/origin-mark.ts'
import { type Clock, readClock } from '../disk/this-machine.ts'
import { type History, readHistory } from '../log/removals.ts'
import { readVersionsInUse } from '../runs/readers.ts'
import { removeAbandoned, takeAbandoned } from '../runs/run-folder.ts'
import { withTablesAloneOrFull } from '../runs/tables-alone.ts'
import { clearRun } from './clear-run.ts'
import { keptInFolder } from './kept-records.ts'
import { keptVersions, readKept } from './kept-snapshots.ts'
import type { ListedFile, RemoteFiles } from './remote-files.ts'
import { removeUnneededFacts } from './vacuum-facts.ts'

export interface VacuumRequest {
  readonly lake: string
  /** Keeps files of versions that were the newest within so many hours; 0 keeps only files in use. */
  readonly keepHours: number
  readonly isDryRun: boolean
  /** Trusts the clock even if the uptime shows that it jumped. */
  readonly trustsClock?: boolean
  /** Defaults to the clocks of this machine. */
  readonly clock?: Clock
  /** Store of the data files of a copy; defaults to the folder. */
  readonly elsewhere?: RemoteFiles | undefined
}

/** Removed data files of one table. */
export interface VacuumedTable {
  readonly table: string
  /** Paths relative to the table. */
  readonly paths: readonly string[]
  readonly bytes: number
}

const HOUR_MS = 3_600_000
/** A copy receives files before the commits that name them. */
const INCOMING_MS = 24 * HOUR_MS
/** Tolerated clock correction. */
const JUMP_MS = HOUR_MS

/**
 * Removes data files that commits removed before the retention, and equally old files that no version names and no run
 * holds, with their facts. Log entries stay, and files of versions that live readers declare or that are kept. Reads
 * every log before it removes a file. Errors: `lake_damaged`, also for a damaged record of a kept snapshot; `malformed_request` when files are old only by a clock that jumped;
 * `lake_unwritable` during a restore; those of the file system.
 */
export async function vacuum(request: VacuumRequest): Promise<readonly VacuumedTable[]> {
  const { lake, isDryRun, clock = readClock() } = request
  if (isDryRun) return await findUnneeded(request, clock)
  return await withTablesAloneOrFull(lake, () => removeUnneeded(request, clock))
}

async function removeUnneeded(request: VacuumRequest, clock: Clock): Promise<readonly VacuumedTable[]> {
  const { lake, elsewhere } = request
  await clearDeadRuns(lake, clock)
  const unneeded = await findUnneeded(request, clock)
  for (const resource of resources) {
    const { paths = [] } = unneeded.find(({ table }) => table === resource.name) ?? {}
    if (paths.length > 0) await elsewhere?.remove(resource, paths)
    for (const path of paths) await rm(join(tableFolder(lake, resource), path), { force: true })
    // A copy may have facts without their data files.
    if (elsewhere === undefined) await removeUnneededFacts(tableFolder(lake, resource))
  }
  return unneeded
}

async function findUnneeded(request: VacuumRequest, clock: Clock): Promise<readonly VacuumedTable[]> {
  const { keepHours, trustsClock = keepHours === 0 } = request
  const keepMs = keepHours === 0 ? Number.NEGATIVE_INFINITY : keepHours * HOUR_MS
  const { lake, elsewhere } = request
  const kept = await readKept(lake, elsewhere?.kept ?? keptInFolder(lake))
  const unneeded: VacuumedTable[] = []
  let newest: History['newest']
  for (const resource of resources) {
    const table = await unneededFiles(request, resource, keepMs, clock, keptVersions(kept, resource))
    if (table === undefined) continue
    if (table.newest !== undefined && table.newest.ageMs <= (newest?.ageMs ?? table.newest.ageMs))
      newest = table.newest
    const paths = table.files.map(({ path }) => path).sort()
    const bytes = table.files.reduce((sum, file) => sum + file.bytes, 0)
    if (paths.length > 0) unneeded.push({ table: resource.name, paths, bytes })
  }
  const jumpMs = newest?.jumpMs ?? 0
  if (jumpMs > JUMP_MS && !trustsClock) {
    const doubted = { ...request, trustsClock: true }
    const withoutJump = await findUnneeded(doubted, { ...clock, now: clock.now - jumpMs })
    const difference = countPaths(unneeded) - countPaths(withoutJump)
    if (difference > 0) refuseJump(jumpMs, difference)
  }
  return unneeded
}

const countPaths = (tables: readonly VacuumedTable[]) =>
  tables.reduce((sum, { paths }) => sum + paths.length, 0)

function refuseJump(jumpMs: number, files: number): never {
  fail(
    'malformed_request',
    `By the clock ${Math.round(jumpMs / HOUR_MS)} hours more have passed since the newest commit than this machine has run since then, ` +
      `and only so ${files === 1 ? 'is a file' : `are ${files} files`} old enough to be removed. Set the clock right, or, ` +
      'if it is right now, wait for the next ingest, or add --trust-clock.',
  )
}

/** Ignores failures; the next vacuum tries again. */
async function clearDeadRuns(lake: string, clock: Clock): Promise<void> {
  await removeAbandoned(readersFolder(lake), clock)
  const abandoned = await takeAbandoned(stagingFolder(lake), clock).catch(() => [])
  for (const folder of abandoned) await clearRun(lake, folder).catch(() => {})
}

/**
 * Lists files, then runs, then the log, then readers. In this order a file that is listed and no longer held by a run is
 * in the log. Undefined when there is no such table, or no commit.
 */
async function unneededFiles(
  { lake, elsewhere }: VacuumRequest,
  resource: Resource,
  keepMs: number,
  clock: Clock,
  kept: readonly number[],
): Promise<(Pick<History, 'newest'> & { readonly files: readonly ListedFile[] }) | undefined> {
  const folder = tableFolder(lake, resource)
  if ((await stat(logFolder(folder)).catch(unlessMissing)) === undefined) return undefined
  const files = await (elsewhere?.files(resource) ?? findDataFiles(folder))
  const isCopy = readOriginMark(lake) !== undefined
  const orphanMs = isCopy ? Math.max(keepMs, INCOMING_MS) : keepMs
  const held = await findHeld(lake, resource)
  const { commits, live, removed, newest } = await readHistory(folder, clock)
  // If the log was lost, only its files remain.
  if (commits === 0) return undefined
  const versionsInUse = [...kept, ...(await readVersionsInUse(lake, resource, clock))]
  const unneeded = files.filter(({ path, changedAt }) => {
    const removal = removed.get(path)
    if (removal === undefined) return !live.has(path) && !held.has(path) && clock.now - changedAt >= orphanMs
    return (
      removal.ageMs >= keepMs &&
      !versionsInUse.some((version) => removal.from <= version && version < removal.until)
    )
  })
  return { files: unneeded, newest }
}

/** Finds the data files in the folder of a table, live or not. */
async function findDataFiles(folder: string): Promise<readonly ListedFile[]> {
  const files: ListedFile[] = []
  for (const path of await pathsBelow(folder)) {
    const stats = await stat(join(folder, path)).catch(unlessMissing)
    if (stats !== undefined) files.push({ path, bytes: stats.size, changedAt: stats.mtimeMs })
  }
  return files
}

/** Lists the paths staged by runs; some may be linked but not committed yet. */
async function findHeld(lake: string, resource: Resource): Promise<ReadonlySet<string>> {
  const held = new Set<string>()
  for (const run of await entriesIn(stagingFolder(lake))) {
    for (const path of await pathsBelow(tableFolder(runFolder(lake, run.name), resource))) held.add(path)
  }
  return held
}

/** Lists the data files in a folder and its partitions; empty when there is no folder. */
async function pathsBelow(folder: string): Promise<readonly string[]> {
  const paths: string[] = []
  for (const entry of await entriesIn(folder)) {
    if (entry.isFile()) paths.push(entry.name)
    if (!entry.isDirectory() || entry.name.startsWith('_')) continue
    for (const file of await entriesIn(join(folder, entry.name)))
      if (file.isFile()) paths.push(`${entry.name}/${file.name}`)
  }
  return paths.filter(isDataFilePath)
}
