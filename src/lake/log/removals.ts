import { stat } from 'node:fs/promises'
import type { Clock } from '../disk/this-machine.ts'
import { type LogEntry, readEntries } from './delta-log.ts'
import type { Action } from './log-actions.ts'
import { commitTimeOf } from './table-state.ts'

/** A data file of an older version that the newest version lacks. */
interface Removal {
  /** Versions that name it: `from` up to but not including `until`. */
  readonly from: number
  readonly until: number
  /** Minimum time since its removal, in milliseconds. */
  readonly ageMs: number
}

/** Live and removed files of a table. */
export interface History {
  readonly commits: number
  readonly live: ReadonlySet<string>
  readonly removed: ReadonlyMap<string, Removal>
  /** Age of the newest commit since the machine started, and how much older it is by the clock. */
  readonly newest: { readonly ageMs: number; readonly jumpMs: number } | undefined
}

/** Tolerated clock difference of two committing machines. */
const BEHIND_MS = 2000
/** Tolerated delay of a file server's clock behind its clients. */
const SKEW_MS = 3_600_000

/**
 * Reads every entry of a log and dates removals. The age of a commit since this boot is the machine's running time since
 * then. An older commit's time is the later of its timestamp and its file's mtime. If its clock was wrong (behind the
 * previous commit, or ahead of the file), it is as old as the next commit. Errors: as `readEntries`.
 */
export async function readHistory(table: string, clock: Clock): Promise<History> {
  const live = new Map<string, number>()
  const commits: { version: number; ageMs: number; removals: [path: string, from: number][] }[] = []
  let newest: History['newest']
  for await (const entry of readEntries(table)) {
    const { version, actions } = entry
    const removals: [path: string, from: number][] = []
    for (const action of actions) {
      if ('add' in action) live.set(decodeURIComponent(action.add.path), version)
      if (!('remove' in action)) continue
      const path = decodeURIComponent(action.remove.path)
      removals.push([path, live.get(path) ?? 0])
      live.delete(path)
    }
    const running = runningTimeSince(entry, clock)
    commits.push({ version, removals, ageMs: running ?? (await ageByFile(entry, clock)) })
    newest =
      running === undefined ? newest : { ageMs: running, jumpMs: clock.now - commitTimeOf(actions) - running }
  }
  const removed = new Map<string, Removal>()
  let ageMs = 0
  for (const commit of commits.reverse()) {
    ageMs = Math.max(ageMs, commit.ageMs)
    for (const [path, from] of commit.removals)
      if (!live.has(path) && !removed.has(path)) removed.set(path, { from, until: commit.version, ageMs })
  }
  return { commits: commits.length, live: new Set(live.keys()), removed, newest }
}

/** Returns how long the machine has run since a commit; undefined for a commit of another boot or machine. */
function runningTimeSince({ actions }: LogEntry, { boot, sinceBoot }: Clock): number | undefined {
  for (const action of actions)
    if ('commitInfo' in action && action.commitInfo.boot === boot) {
      const { sinceBoot: then = sinceBoot } = action.commitInfo
      return Math.max(0, sinceBoot - then)
    }
  return undefined
}

async function ageByFile({ path, actions, committedAt }: LogEntry, { now }: Clock): Promise<number> {
  const { mtimeMs } = await stat(path)
  const time = commitTimeOf(actions)
  const isClockWrong = time === 0 || clockBehind(actions) > BEHIND_MS || mtimeMs + SKEW_MS < time
  return isClockWrong ? 0 : Math.max(0, now - Math.max(mtimeMs, committedAt))
}

/** Returns how far the clock was behind the previous commit; 0 when not recorded. */
function clockBehind(actions: readonly Action[]): number {
  return actions.reduce(
    (behind, action) => ('commitInfo' in action ? (action.commitInfo.clockBehind ?? behind) : behind),
    0,
  )
}
