import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Resource } from '../../catalog/resource.ts'
import { hashFile, moveInto, replaceFile, syncFile } from '../disk/disk.ts'
import {
  checkpointPath,
  lastCheckpointPath,
  logFolder,
  snapshotPath,
  tableFolder,
  versionOfFile,
} from '../disk/layout.ts'
import { readTableLog } from './delta-log.ts'
import { listLog, writeActionLines } from './log-entry.ts'
import { checkpointVersions } from './read-checkpoint.ts'
import { sealed } from './sealed-gzip.ts'
import { COMMITS_PER_CHECKPOINT } from './table-format.ts'
import type { TableLog } from './table-state.ts'

export interface CheckpointWriter {
  /** Writes the actions of an NDJSON file as a Parquet checkpoint of the Delta protocol. */
  writeCheckpoint(actions: string, path: string): Promise<void>
}

const NEWEST_RETAINED = 3

/** Keeps every hundredth checkpoint of the last thousand commits and every thousandth before, for reads of old versions. */
function isRetained(version: number, newest: number): boolean {
  return version % (newest - version <= 1000 ? 100 : 1000) === 0
}

/**
 * Writes a checkpoint after every tenth commit, or now if `isDue`: as Parquet for other readers, and as lines with a
 * digest for this program. Entries stay. The next commit writes a checkpoint that was missed.
 */
export async function checkpointIfDue(
  lake: string,
  resource: Resource,
  writer: CheckpointWriter,
  staging: string,
  isDue = false,
): Promise<void> {
  const table = tableFolder(lake, resource)
  const log = await readTableLog(table)
  if (log === undefined) return
  const [newest = 0] = await checkpointVersions(table)
  if (newest === log.version || !(isDue || tensOf(log.version) > tensOf(newest))) return
  const parquet = await writeParquetCheckpoint(table, log, writer, staging)
  await writeLinesCheckpoint(table, log, staging, parquet)
  await removeOlder(table, log.version)
}

function tensOf(version: number): number {
  return Math.floor(version / COMMITS_PER_CHECKPOINT)
}

/** Returns the state of a table as actions. */
export function actionsOf({ protocol, metaData, txns, live, removed }: TableLog): readonly object[] {
  return [
    { protocol },
    { metaData },
    ...[...txns.values()].map((txn) => ({ txn })),
    ...[...live.values()].map((add) => ({ add })),
    ...[...removed.values()].map((remove) => ({ remove })),
  ]
}

/** Sets `dataChange` to false, as the Delta protocol requires in a checkpoint. */
function withoutChange(action: object): object {
  return Object.fromEntries(
    Object.entries(action).map(([kind, members]) => [
      kind,
      kind === 'add' || kind === 'remove' ? { ...members, dataChange: false } : members,
    ]),
  )
}

/** Returns the SHA-256 of the Parquet file, which has no checksum itself. */
async function writeParquetCheckpoint(
  table: string,
  log: TableLog,
  writer: CheckpointWriter,
  staging: string,
): Promise<string> {
  const actions = actionsOf(log).map(withoutChange)
  const [ndjson, parquet] = [join(staging, 'checkpoint.json'), join(staging, 'checkpoint.parquet')]
  await writeFile(ndjson, actions.map((action) => `${JSON.stringify(action)}\n`).join(''))
  await writer.writeCheckpoint(ndjson, parquet)
  await syncFile(parquet)
  const digest = await hashFile(parquet)
  await moveInto(parquet, checkpointPath(table, log.version))
  await replaceFile(lastCheckpointPath(table), pointerTo(log), join(staging, '_last_checkpoint'))
  return digest
}

/** Content of `_last_checkpoint`. */
export function pointerTo(log: TableLog): string {
  return JSON.stringify({ version: log.version, size: actionsOf(log).length })
}

async function writeLinesCheckpoint(
  table: string,
  log: TableLog,
  staging: string,
  parquet: string,
): Promise<void> {
  const { version, committedAt, entryDigest } = log
  const head = (digest: string) => ({ snapshot: { version, committedAt, entryDigest, parquet, digest } })
  const bytes = sealed(await promisify(gzip)(writeActionLines(head, actionsOf(log))))
  await replaceFile(snapshotPath(table, version), bytes, join(staging, '_snapshot'))
}

async function removeOlder(table: string, newest: number): Promise<void> {
  const oldest = (await checkpointVersions(table))[NEWEST_RETAINED - 1] ?? 0
  for (const name of await listLog(table)) {
    const version = versionOfFile(name, 'snapshot') ?? versionOfFile(name, 'checkpoint') ?? oldest
    if (version < oldest && !isRetained(version, newest))
      await rm(join(logFolder(table), name), { force: true })
  }
}
