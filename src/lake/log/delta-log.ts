import { access, stat } from 'node:fs/promises'
import { fail } from '../../base/errors.ts'
import { digestOf } from '../disk/disk.ts'
import { logEntryPath, logFolder } from '../disk/layout.ts'
import type { Action } from './log-actions.ts'
import { readEntry, refuseGap } from './log-entry.ts'
import { readEntryActions } from './read-actions.ts'
import { readCheckpoints } from './read-checkpoint.ts'
import { commitTimeOf, type Reached, type TableLog, TableState } from './table-state.ts'

/**
 * Reads a table up to `version`, or to its newest. It starts from the earlier state `from`, else from the newest intact
 * checkpoint, else from the first entry. Undefined when there is no such table or version. Errors: `lake_damaged`, `lake_unsupported`.
 */
export async function readTableLog(
  table: string,
  options: { from?: TableLog | undefined; version?: number; signal?: AbortSignal | undefined } = {},
): Promise<TableLog | undefined> {
  const { version: last = Number.POSITIVE_INFINITY } = options
  const start = (await unlessReplaced(table, options.from)) ?? (await newestCheckpoint(table, last))
  let reached: Reached = start ?? { version: -1, committedAt: 0, entryDigest: '' }
  let state: TableState | undefined
  while (reached.version < last) {
    options.signal?.throwIfAborted()
    const version = reached.version + 1
    const text = await readEntry(table, version)
    if (text === undefined) break
    const actions = readEntryActions(text, logEntryPath(table, version))
    const committedAt = Math.max(commitTimeOf(actions), reached.committedAt)
    reached = { version, committedAt, entryDigest: digestOf(text) }
    state = (state ?? new TableState(start)).apply(actions)
  }
  const log = state?.at(reached, table) ?? start
  if (reached.version === last) return log
  await refuseNewGap(table, reached.version + 1, log)
  return options.version === undefined ? log : undefined
}

/** Change time of a log folder, in nanoseconds, at which no gap followed a state of its table. */
const gaplessAt = new WeakMap<TableLog, bigint>()

/** Two changes within this time may leave the same change time. */
const SETTLED_AFTER_MS = 2000

/** Lists a folder of thousands of entries only after a change, because a server polls every half second. */
async function refuseNewGap(table: string, missing: number, log: TableLog | undefined): Promise<void> {
  if (log === undefined) return await refuseGap(table, missing)
  const folder = await stat(logFolder(table), { bigint: true }).catch(() => undefined)
  if (folder !== undefined && gaplessAt.get(log) === folder.ctimeNs) return
  await refuseGap(table, missing)
  if (folder !== undefined && Date.now() - Number(folder.ctimeMs) > SETTLED_AFTER_MS)
    gaplessAt.set(log, folder.ctimeNs)
}

/** Reads the commit time and digest of a version; undefined when there is no such version. Errors: `lake_damaged`. */
export async function readCommit(
  table: string,
  version: number,
): Promise<Pick<TableLog, 'committedAt' | 'entryDigest'> | undefined> {
  const text = await readEntry(table, version)
  if (text === undefined) return undefined
  const committedAt = commitTimeOf(readEntryActions(text, logEntryPath(table, version)))
  return { committedAt, entryDigest: digestOf(text) }
}

/**
 * Finds the newest checkpoint whose log entry still has the same digest. Other checkpoints belong to a replaced log.
 */
async function newestCheckpoint(table: string, last: number): Promise<TableLog | undefined> {
  for await (const log of readCheckpoints(table, last)) {
    if ((await unlessReplaced(table, log)) !== undefined) return log
  }
  return undefined
}

async function unlessReplaced(table: string, from: TableLog | undefined): Promise<TableLog | undefined> {
  const text = from === undefined ? undefined : await readEntry(table, from.version)
  return text !== undefined && digestOf(text) === from?.entryDigest ? from : undefined
}

/** The actions of a version, and its commit time, which never precedes that of an earlier version. */
export interface LogEntry {
  readonly version: number
  readonly path: string
  readonly actions: readonly Action[]
  readonly committedAt: number
}

/**
 * Reads every entry of a log, in order.
 * Errors: `lake_damaged`, also when the table has no log folder; `lake_unsupported`.
 */
export async function* readEntries(table: string): AsyncGenerator<LogEntry> {
  await access(logFolder(table)).catch((cause) =>
    fail('lake_damaged', `${logFolder(table)} cannot be read; restore it from a copy.`, { cause }),
  )
  let [version, committedAt] = [0, 0]
  for (; ; version += 1) {
    const text = await readEntry(table, version)
    if (text === undefined) break
    const path = logEntryPath(table, version)
    const actions = readEntryActions(text, path)
    committedAt = Math.max(commitTimeOf(actions), committedAt)
    yield { version, path, actions, committedAt }
  }
  await refuseGap(table, version)
}

/** Reads the paths of data files that any version names. Errors: as `readEntries`. */
export async function readNamedPaths(table: string): Promise<ReadonlySet<string>> {
  const named = new Set<string>()
  for await (const { actions } of readEntries(table))
    for (const action of actions) {
      if ('add' in action) named.add(decodeURIComponent(action.add.path))
      if ('remove' in action) named.add(decodeURIComponent(action.remove.path))
    }
  return named
}
