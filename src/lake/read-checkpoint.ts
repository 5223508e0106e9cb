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

/** What the checkpoint of a version says of itself; undefined when it is damaged, or there is none. */
export async function readCheckpointHead(table: string, version: number): Promise<Reached | undefined> {
  const text = await readText(snapshotPath(table, version)).catch(() => undefined)
  const head = text === undefined ? undefined : headOf(text)
  return head?.version === version ? head : undefined
}

async function readCheckpoint(path: string): Promise<TableLog | undefined> {
  const text = await readText(path)
  const head = text === undefined ? undefined : headOf(text)
  if (text === undefined || head === undefined) return undefined
  const lines = text.slice(text.indexOf('\n')).split('\n')
  return new TableState().apply(readActions(lines, path)).at(head)
}

/** Undefined when there is no such file, or it does not have the digest that it names. */
async function readText(path: string): Promise<string | undefined> {
  const bytes = await readLogFile(path)
  if (bytes === undefined) return undefined
  const text = (await promisify(gunzip)(bytes, { maxOutputLength: MOST_BYTES })).toString('utf8')
  return hasItsDigest(text) === true ? text : undefined
}

function headOf(text: string): Reached | undefined {
  const { snapshot }: { snapshot: unknown } = JSON.parse(text.slice(0, text.indexOf('\n')))
  return isReached(snapshot) ? reachedOf(snapshot) : undefined
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
