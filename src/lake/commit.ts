import { stat, unlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Resource } from '../catalog/resource.ts'
import { partitionIn } from '../derive/partition.ts'
import { fail } from '../errors.ts'
import { appendEntry, type CommitLabel } from './append-entry.ts'
import type { StoredFile } from './data-file.ts'
import { readTableLog } from './delta-log.ts'
import { hashFile, linkInto, makeFolder, syncFile } from './disk.ts'
import { columnsLacking, writeStats } from './file-stats.ts'
import { readTags, writeTags } from './file-tags.ts'
import type { FileFacts } from './file-writer.ts'
import { logFolder, runFolder, tableFolder } from './layout.ts'
import type { AddAction } from './log-actions.ts'
import { type SourceInFile, sourceKey } from './source.ts'
import { refuseWriting } from './table-format.ts'
import type { TableLog } from './table-state.ts'

/** A written and verified Parquet file that no reader can see yet. */
export interface StagedFile {
  /** Where it lies in the folder of its run, as it will in the lake. */
  readonly path: string
  readonly partition: string | null
  readonly facts: FileFacts
  readonly sources: readonly SourceInFile[]
}

/** Sources that may take the place of what the table holds under their name, or under other names. */
export interface Replacement {
  /** Keys of what gives way. */
  readonly keys: ReadonlySet<string>
  /** Whether the same bytes are replaced too; otherwise they are in already. */
  readonly evenSame: boolean
  /** Writes a live file anew without them; undefined when nothing of it is left. */
  rewrite(file: LiveFile): Promise<StagedFile | undefined>
}

/** A file of the table, by its full path, and what its tags say. */
interface LiveFile extends StoredFile {
  readonly partition: string | null
  readonly sources: readonly SourceInFile[]
}

const noReplacement: Replacement = { keys: new Set(), evenSame: false, rewrite: async () => undefined }

export const MOST_ATTEMPTS = 100

/**
 * Makes staged files part of a table, all or nothing.
 * Data files are synced and linked first; the log entry comes last, and until it is there nothing has happened.
 * Gives the sources that the table has already and that may not be replaced, as key and SHA-256: then nothing is
 * committed. What fails leaves its files to the end of the run, which removes those that the log does not name.
 */
export async function commitFiles(
  lake: string,
  resource: Resource,
  staged: readonly StagedFile[],
  label: CommitLabel,
  replacement: Replacement = noReplacement,
): Promise<ReadonlyMap<string, string>> {
  const table = tableFolder(lake, resource)
  const wanted = new Map(staged.flatMap((file) => file.sources.map((source) => [sourceKey(source), source])))
  const state = await readTableState(resource, lake, wanted, replacement)
  if (state.taken.size > 0) return state.taken
  await makeFolder(logFolder(table))
  const adds: AddAction[] = []
  for (const file of staged) adds.push(await publish(lake, resource, file, label))
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const { log, taken, stale } = await readTableState(resource, lake, wanted, replacement)
    if (taken.size > 0) {
      await withdraw(table, adds)
      return taken
    }
    if (await appendOnTop(lake, resource, log, adds, stale, label, replacement)) return taken
  }
  await withdraw(table, adds)
  return fail(
    'commit_conflict',
    `Other commits to ${table} won ${MOST_ATTEMPTS} times; run the same command again.`,
  )
}

/** Writes the entry that follows `log`; stale files are rewritten for it. False when another commit won. */
async function appendOnTop(
  lake: string,
  resource: Resource,
  log: TableLog | undefined,
  adds: readonly AddAction[],
  stale: readonly AddAction[],
  label: CommitLabel,
  replacement: Replacement,
): Promise<boolean> {
  const table = tableFolder(lake, resource)
  const rewritten: AddAction[] = []
  for (const add of stale) {
    const file = await replacement.rewrite(liveFile(resource, table, add))
    if (file !== undefined) rewritten.push(await publish(lake, resource, file, label))
  }
  const change = { removes: stale, adds: [...rewritten, ...adds], dataChange: true }
  const isDone = await appendEntry(lake, resource, log, change, label)
  if (!isDone) await withdraw(table, rewritten)
  return isDone
}

function liveFile(resource: Resource, table: string, add: AddAction): LiveFile {
  const path = join(table, decodeURIComponent(add.path))
  return {
    path,
    lacks: columnsLacking(resource, add.stats),
    partition: partitionIn(resource, add.partitionValues),
    sources: readTags(resource, add.tags, path).sources,
  }
}

/** The log of a table that this program may write. Errors: `lake_damaged`, `lake_unsupported`. */
export async function readWritableLog(lake: string, resource: Resource): Promise<TableLog | undefined> {
  const table = tableFolder(lake, resource)
  const log = await readTableLog(table)
  if (log !== undefined) refuseWriting(table, resource, log)
  return log
}

interface Standing {
  /** Undefined for a table that does not exist yet. */
  readonly log: TableLog | undefined
  /** Wanted sources that are in and stay, with their SHA-256. */
  readonly taken: ReadonlyMap<string, string>
  /** Files that hold sources to be replaced. */
  readonly stale: readonly AddAction[]
}

/** Errors: `lake_damaged`. */
async function readTableState(
  resource: Resource,
  lake: string,
  wanted: ReadonlyMap<string, SourceInFile>,
  { keys, evenSame }: Replacement,
): Promise<Standing> {
  const log = await readWritableLog(lake, resource)
  const taken = new Map<string, string>()
  const stale = new Set<AddAction>()
  for (const add of log?.live.values() ?? []) {
    for (const source of readTags(resource, add.tags, add.path).sources) {
      const key = sourceKey(source)
      const own = wanted.get(key)
      if (keys.has(key) && (evenSame || own?.sha256 !== source.sha256)) stale.add(add)
      else if (own !== undefined) taken.set(key, source.sha256)
    }
  }
  return { log, taken, stale: [...stale] }
}

/** Links a staged file into the table, under the path that it has in the folder of its run. */
export async function publish(
  lake: string,
  resource: Resource,
  file: StagedFile,
  { runId }: CommitLabel,
): Promise<AddAction> {
  const path = relative(tableFolder(runFolder(lake, runId), resource), file.path)
  await syncFile(file.path)
  const sha256 = await hashFile(file.path)
  const { size, mtimeMs } = await stat(file.path)
  await linkInto(file.path, join(tableFolder(lake, resource), path))
  return {
    path,
    partitionValues: file.partition === null ? {} : { [resource.partition?.by ?? '']: file.partition },
    size,
    modificationTime: Math.floor(mtimeMs),
    dataChange: true,
    stats: writeStats(resource, file.facts),
    tags: writeTags({ sha256, sources: file.sources, chunks: file.facts.chunks }),
  }
}

export async function withdraw(table: string, adds: readonly AddAction[]): Promise<void> {
  for (const add of adds) await unlink(join(table, add.path))
}
