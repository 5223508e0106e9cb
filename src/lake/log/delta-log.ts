import { access, stat } from 'node:fs/promises'
import { fail } from '../../base/errors.ts'
import { digestOf } from '../disk/disk.ts'
import { logEntryPath, logFolder } from '../disk/layout.ts'
import type { Action } from './log-actions.ts'
import { readEntry, refuseGap } from './log-entry.ts'
import { readEntryActions } from './read-actions.ts'
import { readCheckpoints } from './read-checkpoint.ts'
import { type Reached, type TableLog, TableState, timeOf } from './table-state.ts'

/**
 * Reads a table up to `version`, or to its newest; `from` is an earlier state to go on from. Without one it starts from
 * the newest checkpoint that is whole, and from the first entry when there is none.
 * Undefined when there is no such table or version. Errors: `lake_damaged`, `lake_unsupported`.
 */
export async function readTableLog(
  table: string,
  options: { from?: TableLog | undefined; version?: number; signal?: AbortSignal | undefined } = {},
): Promise<TableLog | undefined> {
  const { version: wanted = Number.POSITIVE_INFINITY } = options
  const known = (await unlessReplaced(table, options.from)) ?? (await newestCheckpoint(table, wanted))
  let reached: Reached = known ?? { version: -1, committedAt: 0, entryDigest: '' }
  let state: TableState | undefined
  while (reached.version < wanted) {
    options.signal?.throwIfAborted()
    const version = reached.version + 1
    const text = await readEntry(table, version)
    if (text === undefined) break
    const actions = readEntryActions(text, logEntryPath(table, version))
    const committedAt = Math.max(timeOf(actions), reached.committedAt)
    reached = { version, committedAt, entryDigest: digestOf(text) }
    state = (state ?? new TableState(known)).apply(actions)
  }
  const log = state?.at(reached, table) ?? known
  if (reached.version === wanted) return log
  await refuseNewGap(table, reached.version + 1, log)
  return options.version === undefined ? log : undefined
}

/** Time of change of the folder of a log, in nanoseconds, when no entry after a state of it was missing. */
const wholeAt = new WeakMap<TableLog, bigint>()

/** A change within so many milliseconds of another may leave the time of a folder as it was. */
const SETTLED_AFTER_MS = 2000

/** A folder of many thousand entries is listed again only when it was changed: a server looks every half second. */
async function refuseNewGap(table: string, missing: number, log: TableLog | undefined): Promise<void> {
  if (log === undefined) return await refuseGap(table, missing)
  const folder = await stat(logFolder(table), { bigint: true }).catch(() => undefined)
  if (folder !== undefined && wholeAt.get(log) === folder.ctimeNs) return
  await refuseGap(table, missing)
  if (folder !== undefined && Date.now() - Number(folder.ctimeMs) > SETTLED_AFTER_MS)
    wholeAt.set(log, folder.ctimeNs)
}

/** What a version says of itself; undefined when there is no such version. Errors: `lake_damaged`. */
export async function readCommit(
  table: string,
  version: number,
): Promise<Pick<TableLog, 'committedAt' | 'entryDigest'> | undefined> {
  const text = await readEntry(table, version)
  if (text === undefined) return undefined
  const committedAt = timeOf(readEntryActions(text, logEntryPath(table, version)))
  return { committedAt, entryDigest: digestOf(text) }
}

/** The newest checkpoint whose version still has the digest that it had; others are of a log that was replaced. */
async function newestCheckpoint(table: string, wanted: number): Promise<TableLog | undefined> {
  for await (const log of readCheckpoints(table, wanted)) {
    if ((await unlessReplaced(table, log)) !== undefined) return log
  }
  return undefined
}

async function unlessReplaced(table: string, from: TableLog | undefined): Promise<TableLog | undefined> {
  const text = from === undefined ? undefined : await readEntry(table, from.version)
  return text !== undefined && digestOf(text) === from?.entryDigest ? from : undefined
}

/** One entry of a log: the actions of a version, and when it was committed, never before the version before it. */
export interface LogEntry {
  readonly version: number
  readonly path: string
  readonly actions: readonly Action[]
  readonly committedAt: number
}

/**
 * Every entry of a log, in order.
 * Errors: `lake_damaged`, also when the table has no folder for its log; `lake_unsupported`.
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
    committedAt = Math.max(timeOf(actions), committedAt)
    yield { version, path, actions, committedAt }
  }
  await refuseGap(table, version)
}

/** The data files that the log names at any version. Errors: as `readEntries`. */
export async function readNamedPaths(table: string): Promise<ReadonlySet<string>> {
  const named = new Set<string>()
  for await (const { actions } of readEntries(table))
    for (const action of actions) {
      if ('add' in action) named.add(decodeURIComponent(action.add.path))
      if ('remove' in action) named.add(decodeURIComponent(action.remove.path))
    }
  return named
}
