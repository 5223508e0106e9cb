import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Resource } from '../../catalog/resource.ts'

/** Where things lie below the folder of a lake. */

export function tableFolder(lake: string, { name }: Pick<Resource, 'name'>): string {
  return join(lake, name)
}

export function logFolder(table: string): string {
  return join(table, '_delta_log')
}

/** The log entry of a version, `_delta_log/00000000000000000007.json`. */
export function logEntryPath(table: string, version: number): string {
  return join(logFolder(table), `${digitsOf(version)}.json`)
}

export function checkpointPath(table: string, version: number): string {
  return join(logFolder(table), `${digitsOf(version)}.checkpoint.parquet`)
}

/** The checkpoint as this program reads it, under a name that other readers ignore. */
export function snapshotPath(table: string, version: number): string {
  return join(logFolder(table), `_snapshot.${digitsOf(version)}.ndjson.gz`)
}

/** The version of a file of the log by its name and what follows the digits; undefined for other files. */
export function versionOfFile(name: string, kind: 'entry' | 'checkpoint' | 'snapshot'): number | undefined {
  const digits = fileNames[kind].exec(name)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

const fileNames = {
  entry: /^(\d{20})\.json$/,
  checkpoint: /^(\d{20})\.checkpoint\.parquet$/,
  snapshot: /^_snapshot\.(\d{20})\.ndjson\.gz$/,
}

/** Names the newest checkpoint. */
export function lastCheckpointPath(table: string): string {
  return join(logFolder(table), '_last_checkpoint')
}

function digitsOf(version: number): string {
  return String(version).padStart(20, '0')
}

/** A name for a data file, unique and never used again. */
export function newDataFileName(): string {
  return `part-${randomUUID()}.parquet`
}

/** Path of a data file relative to its table. */
export function dataFilePath(resource: Resource, partition: string | null, fileName: string): string {
  return partition === null ? fileName : `${resource.partition?.by}=${partition}/${fileName}`
}

/** The folder of the files of facts; Delta readers leave names with an underscore alone. */
export function factsFolder(table: string): string {
  return join(table, FACTS)
}

/** What the log knows of a data file, under the name of its digest: `_facts/<64 hex digits>.json.gz`. */
export function factsPath(table: string, digest: string): string {
  return join(factsFolder(table), `${digest}.json.gz`)
}

/** Whether a path relative to a table is that of a file of facts. */
export function isFactsPath(path: string): boolean {
  return /^_facts\/[0-9a-f]{64}\.json\.gz$/.test(path)
}

const FACTS = '_facts'

/** Whether a path relative to a table is that of a data file. */
export function isDataFilePath(path: string): boolean {
  return /^([a-z_]+=[^/\\\p{Cc}]+\/)?part-[^/\\\p{Cc}]+\.parquet$/u.test(path)
}

/** Whether a partition column may have a value: `month` a month, `block_range` the first of its blocks. */
export function isPartition(by: string, name: string): boolean {
  return (by === 'month' ? /^\d{4}-(0[1-9]|1[0-2])$/ : /^\d{10,19}$/).test(name)
}

/** Folders of runs, whose files no reader can see. */
export function stagingFolder(lake: string): string {
  return join(lake, '_staging')
}

/** What one run stages; data files lie in it as they will in the lake, a folder a table. */
export function runFolder(lake: string, runId: string): string {
  return join(stagingFolder(lake), runId)
}

/** What processes that read the lake declare, so that no vacuum takes it from them. */
export function readersFolder(lake: string): string {
  return join(lake, '_readers')
}

/** Derived structures: may be deleted at any time. */
export function defaultStateFolder(lake: string): string {
  return join(lake, '_state')
}

/** Who may ask; not derived from anything. */
export function defaultKeyFile(lake: string): string {
  return join(lake, '_keys', 'keys.ndjson')
}

/** Its presence says that requests need a key; see `operate/keys/keys-needed.ts`. */
export function keysNeededPath(lake: string): string {
  return join(lake, '_keys_needed')
}

/** A backup whose tables are being put in their place; until they are, the lake is not opened. */
export function restoredFolder(lake: string): string {
  return join(lake, '_restored')
}
