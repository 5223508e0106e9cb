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
import { removeUnneededFacts } from './vacuum-facts.ts'

export interface VacuumRequest {
  readonly lake: string
  /** Versions that were the newest within so many hours keep their files; 0 keeps only what is in use. */
  readonly keepHours: number
  /** Removes nothing. */
  readonly isDryRun: boolean
  /** Goes by the clock also where the time that the machine has run says that it jumped. */
  readonly trustsClock?: boolean
  /** Those of this machine unless given. */
  readonly clock?: Clock
  /** Where the files are that count; in the folder unless given. */
  readonly elsewhere?: Elsewhere | undefined
}

/** Data files of a lake whose folder is a copy. */
export interface Elsewhere {
  files(resource: Resource): Promise<readonly FoundFile[]>
  /** Removes data files with their facts. Paths are relative to the table. */
  remove(resource: Resource, paths: readonly string[]): Promise<void>
}

/** Data files of one table that are removed. */
export interface VacuumedTable {
  readonly table: string
  /** Paths relative to the table. */
  readonly paths: readonly string[]
  readonly bytes: number
}

export interface FoundFile {
  /** Relative to its table. */
  readonly path: string
  readonly bytes: number
  /** Milliseconds since 1970. */
  readonly changedAt: number
}

const HOUR_MS = 3_600_000
/** Files of a copy are there before the commits that name them. */
const COMING_MS = 24 * HOUR_MS
/** A clock may be set right by so much. */
const JUMP_MS = HOUR_MS

/**
 * Removes the data files that no kept version names: those that a commit removed longer ago than is kept, and those that
 * no version names, as old, that no run holds; with them go their facts. Entries of the log stay, and so does what a living
 * reader declares. Nothing is removed before every log was read, nor beside a restore. Errors: `lake_damaged`; `malformed_request`
 * when files are old only by a clock that has jumped; `lake_unwritable` beside a restore; those of the file system.
 */
export async function vacuum(request: VacuumRequest): Promise<readonly VacuumedTable[]> {
  const { lake, isDryRun, clock = readClock() } = request
  if (isDryRun) return await findUnneeded(request, clock)
  return await withTablesAloneOrFull(lake, () => removeUnneeded(request, clock))
}

async function removeUnneeded(request: VacuumRequest, clock: Clock): Promise<readonly VacuumedTable[]> {
  const { lake, elsewhere } = request
  await clearDeadRuns(lake, clock)
  const found = await findUnneeded(request, clock)
  for (const resource of resources) {
    const { paths = [] } = found.find(({ table }) => table === resource.name) ?? {}
    if (paths.length > 0) await elsewhere?.remove(resource, paths)
    for (const path of paths) await rm(join(tableFolder(lake, resource), path), { force: true })
    // A copy need not have the data files that its facts are of.
    if (elsewhere === undefined) await removeUnneededFacts(tableFolder(lake, resource))
  }
  return found
}

async function findUnneeded(request: VacuumRequest, clock: Clock): Promise<readonly VacuumedTable[]> {
  const { keepHours, trustsClock = keepHours === 0 } = request
  const keepMs = keepHours === 0 ? Number.NEGATIVE_INFINITY : keepHours * HOUR_MS
  const found: VacuumedTable[] = []
  let newest: History['newest']
  for (const resource of resources) {
    const table = await unneededFiles(request, resource, keepMs, clock)
    if (table === undefined) continue
    if (table.newest !== undefined && table.newest.ageMs <= (newest?.ageMs ?? table.newest.ageMs))
      newest = table.newest
    const paths = table.files.map(({ path }) => path).sort()
    const bytes = table.files.reduce((sum, file) => sum + file.bytes, 0)
    if (paths.length > 0) found.push({ table: resource.name, paths, bytes })
  }
  const jumpMs = newest?.jumpMs ?? 0
  if (jumpMs > JUMP_MS && !trustsClock) {
    const doubted = { ...request, trustsClock: true }
    const old = await findUnneeded(doubted, { ...clock, now: clock.now - jumpMs })
    if (countOf(old) < countOf(found)) refuseJump(jumpMs, countOf(found) - countOf(old))
  }
  return found
}

const countOf = (tables: readonly VacuumedTable[]) => tables.reduce((sum, { paths }) => sum + paths.length, 0)

function refuseJump(jumpMs: number, files: number): never {
  fail(
    'malformed_request',
    `By the clock ${Math.round(jumpMs / HOUR_MS)} hours more have passed since the newest commit than this machine has run since then, ` +
      `and only so ${files === 1 ? 'is a file' : `are ${files} files`} old enough to be removed. Set the clock right, or, ` +
      'if it is right now, wait for the next ingest, or add --trust-clock.',
  )
}

/** What cannot be cleared stays with its run. */
async function clearDeadRuns(lake: string, clock: Clock): Promise<void> {
  await removeAbandoned(readersFolder(lake), clock)
  const abandoned = await takeAbandoned(stagingFolder(lake), clock).catch(() => [])
  for (const folder of abandoned) await clearRun(lake, folder).catch(() => {})
}

/**
 * The order matters: a file that was there, and that no run holds any more a moment later, has been committed or removed
 * before the log is read. What readers declare is read last. Undefined when there is no such table, or nothing
 * was committed to it.
 */
async function unneededFiles(
  { lake, elsewhere }: VacuumRequest,
  resource: Resource,
  keepMs: number,
  clock: Clock,
): Promise<(Pick<History, 'newest'> & { readonly files: readonly FoundFile[] }) | undefined> {
  const folder = tableFolder(lake, resource)
  if (!(await isThere(logFolder(folder)))) return undefined
  const files = await (elsewhere?.files(resource) ?? findDataFiles(folder))
  const isCopy = readOriginMark(lake) !== undefined
  const orphanMs = isCopy ? Math.max(keepMs, COMING_MS) : keepMs
  const held = await findHeld(lake, resource)
  const { commits, live, removed, newest } = await readHistory(folder, clock)
  // Where the log was lost, its files are all there is.
  if (commits === 0) return undefined
  const read = await readVersionsInUse(lake, resource, clock)
  const unneeded = files.filter(({ path, changedAt }) => {
    const removal = removed.get(path)
    if (removal === undefined) return !live.has(path) && !held.has(path) && clock.now - changedAt >= orphanMs
    return removal.ageMs >= keepMs && !read.some((at) => removal.from <= at && at < removal.until)
  })
  return { files: unneeded, newest }
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
  for (const run of await entriesIn(stagingFolder(lake))) {
    for (const path of await pathsBelow(tableFolder(runFolder(lake, run.name), resource))) held.add(path)
  }
  return held
}

/** Plain files in a folder and its partitions that have the name of a data file; none when there is no folder. */
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

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(unlessMissing)) !== undefined
}

/** Another program may remove what was just listed. */
