import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Resource } from '../../catalog/resource.ts'

export function tableFolder(lake: string, { name }: Pick<Resource, 'name'>): string {
  return join(lake, name)
}

export function logFolder(table: string): string {
  return join(table, '_delta_log')
}

/** Path of the log entry of a version: `_delta_log/00000000000000000007.json`. */
export function logEntryPath(table: string, version: number): string {
  return join(logFolder(table), `${digitsOf(version)}.json`)
}

export function checkpointPath(table: string, version: number): string {
  return join(logFolder(table), `${digitsOf(version)}.checkpoint.parquet`)
}

/** Path of this program's checkpoint, which other readers ignore. */
export function snapshotPath(table: string, version: number): string {
  return join(logFolder(table), `_snapshot.${digitsOf(version)}.ndjson.gz`)
}

/** Reads the version in the name of a log file; undefined for a file of another kind. */
export function versionOfFile(name: string, kind: 'entry' | 'checkpoint' | 'snapshot'): number | undefined {
  const digits = fileNames[kind].exec(name)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

const fileNames = {
  entry: /^(\d{20})\.json$/,
  checkpoint: /^(\d{20})\.checkpoint\.parquet$/,
  snapshot: /^_snapshot\.(\d{20})\.ndjson\.gz$/,
}

/** Path of the file that names the newest checkpoint. */
export function lastCheckpointPath(table: string): string {
  return join(logFolder(table), '_last_checkpoint')
}

function digitsOf(version: number): string {
  return String(version).padStart(20, '0')
}

/** Makes a unique name for a data file. */
export function newDataFileName(): string {
  return `part-${randomUUID()}.parquet`
}

/** Path of a data file relative to its table. */
export function dataFilePath(resource: Resource, partition: string | null, fileName: string): string {
  return partition === null ? fileName : `${resource.partition?.by}=${partition}/${fileName}`
}

/** Folder of the facts files. Delta readers ignore names with an underscore. */
export function factsFolder(table: string): string {
  return join(table, '_facts')
}

/** Path of a facts file: `_facts/<64 hex digits>.json.gz`. */
export function factsPath(table: string, digest: string): string {
  return join(factsFolder(table), `${digest}.json.gz`)
}

/** Checks the form of a facts path, relative to its table. */
export function isFactsPath(path: string): boolean {
  return /^_facts\/[0-9a-f]{64}\.json\.gz$/.test(path)
}

/** Checks the form of a data file's path, relative to its table. */
export function isDataFilePath(path: string): boolean {
  return /^([a-z_]+=[^/\\\p{Cc}]+\/)?part-[^/\\\p{Cc}]+\.parquet$/u.test(path)
}

/** Checks the value of a partition column: a month, or the first block of a `block_range`. */
export function isPartition(by: string, name: string): boolean {
  return (by === 'month' ? /^\d{4}-(0[1-9]|1[0-2])$/ : /^\d{10,19}$/).test(name)
}

/** Folder of the run folders. Readers ignore it. */
export function stagingFolder(lake: string): string {
  return join(lake, '_staging')
}

/** Folder of staged files of a run, with a folder per table as in the lake. */
export function runFolder(lake: string, runId: string): string {
  return join(stagingFolder(lake), runId)
}

/** Folder in which readers declare the versions that a vacuum must keep. */
export function readersFolder(lake: string): string {
  return join(lake, '_readers')
}

/** Folder with the records of kept snapshots; see `vacuum/kept-snapshots.ts`. */
export function keptFolder(lake: string): string {
  return join(lake, '_kept')
}

/** Default state folder: derived files, and the progress of `sync`. */
export function defaultStateFolder(lake: string): string {
  return join(lake, '_state')
}

/** Default path of the API keys. */
export function defaultKeyFile(lake: string): string {
  return join(lake, '_keys', 'keys.ndjson')
}

/** Path of the mark that requests need a key; see `keys/keys-needed.ts`. */
export function keysNeededPath(lake: string): string {
  return join(lake, '_keys_needed')
}

/** Folder of an unfinished restore. The lake is not opened while it exists. */
export function restoredFolder(lake: string): string {
  return join(lake, '_restored')
}
