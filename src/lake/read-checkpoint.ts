import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { snapshotPath, versionOfFile } from './layout.ts'
import { isCount, isObject } from './log-actions.ts'
import { hasItsDigest, listLog, readLogFile } from './log-entry.ts'
import { readActions } from './read-actions.ts'
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
    const log =
      version <= last ? await readCheckpoint(snapshotPath(table, version)).catch(() => undefined) : undefined
    if (log?.version === version) yield log
  }
}

async function readCheckpoint(path: string): Promise<TableLog | undefined> {
  const bytes = await readLogFile(path)
  if (bytes === undefined) return undefined
  const text = (await promisify(gunzip)(bytes, { maxOutputLength: MOST_BYTES })).toString('utf8')
  if (hasItsDigest(text) !== true) return undefined
  const [head = '', ...lines] = text.split('\n')
  const { snapshot }: { snapshot: unknown } = JSON.parse(head)
  return isReached(snapshot)
    ? new TableState().apply(readActions(lines, path)).at(reachedOf(snapshot))
    : undefined
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
