import { basename, join } from 'node:path'
import { sentenceOf } from '../../base/errors.ts'
import type { Resource } from '../../catalog/resource.ts'
import { resourceNamed } from '../../catalog/resources.ts'
import { digestOf } from '../../lake/disk/disk.ts'
import { factsPath, logEntryPath, versionOfFile } from '../../lake/disk/layout.ts'
import type { DataFile } from '../../lake/facts/data-file.ts'
import { namedFactsIn, SHA256 } from '../../lake/facts/file-tags.ts'
import { actionsOf } from '../../lake/log/checkpoint.ts'
import { readTableLog } from '../../lake/log/delta-log.ts'
import type { Action } from '../../lake/log/log-actions.ts'
import { listLog, readEntry } from '../../lake/log/log-entry.ts'
import { readEntryActions } from '../../lake/log/read-actions.ts'
import { commitTimeOf, type TableLog, TableState } from '../../lake/log/table-state.ts'
import { readTableSnapshot, type TableSnapshot } from '../../lake/snapshot/snapshot.ts'

/** A data file or its facts, named by any version of the log. */
export interface NamedFile {
  readonly bytes: number
  /** Data file of a facts file, relative to its table. */
  readonly factsOf?: string
  /** Undefined if another program added the file. */
  readonly sha256: string | undefined
}

/** A table as far as its log is readable. */
export interface TableView {
  readonly folder: string
  readonly name: string
  /** Undefined for a table that this build does not declare. */
  readonly resource: Resource | undefined
  readonly log: TableLog | undefined
  /** Newest version; undefined if the log or facts are unreadable, or the table is not declared. */
  readonly at: TableSnapshot | undefined
  /** The data files of the newest version, by path. */
  readonly liveFiles: ReadonlyMap<string, DataFile>
  /** Why the log, or the facts of a file, cannot be read. */
  readonly fault: string | undefined
  /** Files by path relative to the table. */
  readonly named: ReadonlyMap<string, NamedFile>
  /** True if every entry is readable, so that unnamed files are certainly unnamed. */
  readonly isWhole: boolean
  /** Versions with a log entry. */
  readonly entries: readonly number[]
  /** Digests of the state after all entries, for versions with a checkpoint; none after a damaged entry. */
  readonly states: ReadonlyMap<number, string>
}

/** Reads the log of a table. Skips damaged entries, which the check of their file reports. */
export async function readTable(lake: string, name: string): Promise<TableView> {
  const folder = join(lake, name)
  const resource = resourceNamed(name)
  // A folder that cannot be listed is reported separately.
  const names = await listLog(folder).catch(() => [])
  const entries = names.flatMap((file) => versionOfFile(file, 'entry') ?? []).sort((a, b) => a - b)
  const summed = new Set(names.flatMap((file) => versionOfFile(file, 'snapshot') ?? []))
  const named = new Map<string, NamedFile>()
  const states = new Map<number, string>()
  let state: TableState | undefined = new TableState()
  let committedAt = 0
  for (const [index, version] of entries.entries()) {
    const read = await readVersion(folder, version)
    if (read === undefined || version !== index) state = undefined
    if (read === undefined) continue
    for (const action of read.actions) addNamed(named, action)
    committedAt = Math.max(commitTimeOf(read.actions), committedAt)
    state?.apply(read.actions)
    const reached = { version, committedAt, entryDigest: digestOf(read.text) }
    if (state?.isDescribed && summed.has(version)) states.set(version, stateDigest(state.at(reached, folder)))
  }
  const isWhole = state !== undefined && entries.length > 0
  const base = { folder, name, resource, named, isWhole, entries, states }
  let log: TableLog | undefined
  try {
    log = await readTableLog(folder)
    const at = resource && log && readTableSnapshot(lake, resource, log)
    if (at !== undefined) readFacts(at)
    const liveFiles = new Map(at?.files.map((file) => [file.path, file]))
    return { ...base, log, at, liveFiles, fault: undefined }
  } catch (error) {
    return { ...base, log, at: undefined, liveFiles: new Map(), fault: sentenceOf(error) }
  }
}

/** Reads all facts, so that unreadable ones fail here. Errors: `lake_damaged`. */
function readFacts({ files }: TableSnapshot): void {
  for (const { sources } of files) sources.at(0)
}

async function readVersion(folder: string, version: number) {
  try {
    const text = (await readEntry(folder, version)) ?? ''
    return { text, actions: readEntryActions(text, logEntryPath(folder, version)) }
  } catch {
    return undefined
  }
}

function addNamed(named: Map<string, NamedFile>, action: Action): void {
  if (!('add' in action)) return
  const { path, size, tags } = action.add
  const file = decodeURIComponent(path)
  named.set(file, { bytes: size, sha256: tags?.[SHA256] })
  const facts = namedFactsIn(tags)
  if (facts !== undefined)
    named.set(factsPath('', facts.digest), { bytes: facts.bytes, sha256: facts.digest, factsOf: file })
}

/** Digest of a table's state; independent of the order of files. */
export function stateDigest(log: TableLog): string {
  const { version, committedAt, entryDigest } = log
  const lines = actionsOf(log).map((action) => JSON.stringify(action))
  return digestOf(JSON.stringify([version, committedAt, entryDigest, ...lines.sort()]))
}

/** Returns the data file at a path of the newest version. */
export function liveFile({ liveFiles, folder }: TableView, path: string): DataFile | undefined {
  return liveFiles.get(join(folder, path))
}

/** Returns the name of the log entry of a version. */
export const entryName = (version: number): string => basename(logEntryPath('', version))
