import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { snapshotPath, versionOfFile } from '../disk/layout.ts'
import { isCount, isMembers } from './log-actions.ts'
import { hasItsDigest, listLog, readLogFile } from './log-entry.ts'
import { readActions } from './read-actions.ts'
import { isSealed } from './sealed-gzip.ts'
import { type Reached, type TableLog, TableState } from './table-state.ts'

/** Longest text that a string can have. */
const MOST_BYTES = 2 ** 29 - 2 ** 16

/** Lists the versions of this program's checkpoints, newest first. Errors: `lake_damaged`. */
export async function checkpointVersions(table: string): Promise<readonly number[]> {
  const versions = (await listLog(table)).flatMap((name) => versionOfFile(name, 'snapshot') ?? [])
  return versions.sort((a, b) => b - a)
}

/** Reads the checkpoints up to a version, newest first. It skips damaged ones; the entries have the same content. */
export async function* readCheckpoints(table: string, last: number): AsyncGenerator<TableLog> {
  for (const version of await checkpointVersions(table)) {
    if (version > last) continue
    const checkpoint = await readCheckpoint(snapshotPath(table, version)).catch(() => undefined)
    if (checkpoint?.log.version === version) yield checkpoint.log
  }
}

/** Reads the head of a checkpoint; undefined when it is damaged or missing. */
export async function readCheckpointHead(table: string, version: number): Promise<Reached | undefined> {
  const text = await readText(snapshotPath(table, version)).catch(() => undefined)
  const head = text === undefined ? undefined : headOf(text)
  return head?.reached.version === version ? head.reached : undefined
}

interface Checkpoint {
  readonly log: TableLog
  /** SHA-256 of the Parquet checkpoint of the same version; undefined if an older build wrote both. */
  readonly parquet: string | undefined
}

/** Returns undefined when the file is missing or damaged. Errors: those of a file that is no checkpoint. */
export async function readCheckpoint(path: string): Promise<Checkpoint | undefined> {
  const text = await readText(path)
  const head = text === undefined ? undefined : headOf(text)
  if (text === undefined || head === undefined) return undefined
  const lines = text.slice(text.indexOf('\n')).split('\n')
  return {
    log: new TableState().apply(readActions(lines, path)).at(head.reached, path),
    parquet: head.parquet,
  }
}

/** Returns undefined when the file is missing or its digest differs. */
async function readText(path: string): Promise<string | undefined> {
  const bytes = await readLogFile(path)
  if (bytes === undefined) return undefined
  const text = (await promisify(gunzip)(bytes, { maxOutputLength: MOST_BYTES })).toString('utf8')
  if (hasItsDigest(text) !== true) return undefined
  // A build that names the digest of the Parquet file also seals this file.
  return headOf(text)?.parquet !== undefined && !isSealed(bytes) ? undefined : text
}

function headOf(text: string): { reached: Reached; parquet: string | undefined } | undefined {
  const { snapshot }: { snapshot: unknown } = JSON.parse(text.slice(0, text.indexOf('\n')))
  if (!isReached(snapshot)) return undefined
  const parquet = 'parquet' in snapshot && typeof snapshot.parquet === 'string' ? snapshot.parquet : undefined
  const { version, committedAt, entryDigest } = snapshot
  return { reached: { version, committedAt, entryDigest }, parquet }
}

function isReached(value: unknown): value is Reached {
  return (
    isMembers(value) &&
    isCount(value.version) &&
    isCount(value.committedAt) &&
    typeof value.entryDigest === 'string'
  )
}
