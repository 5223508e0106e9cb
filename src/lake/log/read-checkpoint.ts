import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { snapshotPath, versionOfFile } from '../disk/layout.ts'
import { isCount, isObject } from './log-actions.ts'
import { hasItsDigest, listLog, readLogFile } from './log-entry.ts'
import { readActions } from './read-actions.ts'
import { isSealed } from './sealed-gzip.ts'
import { type Reached, type TableLog, TableState } from './table-state.ts'

/** A text of more bytes could not be held. */
const MOST_BYTES = 2 ** 29 - 2 ** 16

/** Versions of the checkpoints that this program can read, the newest first. Errors: `lake_damaged`. */
export async function checkpointVersions(table: string): Promise<readonly number[]> {
  const versions = (await listLog(table)).flatMap((name) => versionOfFile(name, 'snapshot') ?? [])
  return versions.sort((a, b) => b - a)
}

/** The checkpoints up to a version, the newest first. A damaged one is skipped, since the entries say the same. */
export async function* readCheckpoints(table: string, last: number): AsyncGenerator<TableLog> {
  for (const version of await checkpointVersions(table)) {
    const found =
      version <= last ? await readCheckpoint(snapshotPath(table, version)).catch(() => undefined) : undefined
    if (found?.log.version === version) yield found.log
  }
}

/** What the checkpoint of a version says of itself; undefined when it is damaged, or there is none. */
export async function readCheckpointHead(table: string, version: number): Promise<Reached | undefined> {
  const text = await readText(snapshotPath(table, version)).catch(() => undefined)
  const head = text === undefined ? undefined : headOf(text)
  return head?.reached.version === version ? head.reached : undefined
}

/** A checkpoint as it was written for this program. */
interface Checkpoint {
  readonly log: TableLog
  /** SHA-256 of the Parquet checkpoint of the same version; undefined where an older build wrote both. */
  readonly parquet: string | undefined
}

/** Undefined when it is missing, or not as it was written. Errors: those of a file that is none. */
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

/** Undefined when there is no such file, or it is not as it was written. */
async function readText(path: string): Promise<string | undefined> {
  const bytes = await readLogFile(path)
  if (bytes === undefined) return undefined
  const text = (await promisify(gunzip)(bytes, { maxOutputLength: MOST_BYTES })).toString('utf8')
  if (hasItsDigest(text) !== true) return undefined
  // Whoever names the digest of the Parquet form seals the file too.
  return headOf(text)?.parquet !== undefined && !isSealed(bytes) ? undefined : text
}

function headOf(text: string): { reached: Reached; parquet: string | undefined } | undefined {
  const { snapshot }: { snapshot: unknown } = JSON.parse(text.slice(0, text.indexOf('\n')))
  if (!isReached(snapshot)) return undefined
  const parquet = 'parquet' in snapshot && typeof snapshot.parquet === 'string' ? snapshot.parquet : undefined
  return { reached: reachedOf(snapshot), parquet }
}

function isReached(value: unknown): value is Reached {
  return (
    isObject(value) &&
    isCount(value.version) &&
    isCount(value.committedAt) &&
    typeof value.entryDigest === 'string'
  )
}

function reachedOf({ version, committedAt, entryDigest }: Reached): Reached {
  return { version, committedAt, entryDigest }
}
