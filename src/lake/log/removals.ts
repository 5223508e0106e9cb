import { stat } from 'node:fs/promises'
import type { Clock } from '../disk/this-machine.ts'
import { type LogEntry, readEntries } from './delta-log.ts'
import type { Action } from './log-actions.ts'
import { timeOf } from './table-state.ts'

/** A data file that some version named and the newest does not. */
interface Removal {
  /** The versions that name it: from the first to before the last. */
  readonly from: number
  readonly until: number
  /** For how long it has been removed, at least, in milliseconds. */
  readonly ageMs: number
}

/** What the log of a table says of files. */
export interface History {
  readonly commits: number
  readonly live: ReadonlySet<string>
  readonly removed: ReadonlyMap<string, Removal>
  /** The newest commit since the machine started: how long ago, and how much longer ago by the clock. */
  readonly newest: { readonly ageMs: number; readonly jumpMs: number } | undefined
}

/** So much the clocks of two machines may differ that commit in turn. */
const BEHIND_MS = 2000
/** So much the clock of a file system's server may be behind those of the machines that write to it. */
const SKEW_MS = 3_600_000

/**
 * Since when files are removed. A commit since this start of the machine is as old as the machine's running time says. Any other is as old as the
 * later of its own time and that of its entry's file. Where its clock was behind the commit before it, or its file is older by more than two clocks
 * differ, its clock was wrong, and it is as old as the next commit. No version is younger than a later one. Every entry is read. Errors: as `readEntries`.
 */
export async function readHistory(table: string, clock: Clock): Promise<History> {
  const live = new Map<string, number>()
  const commits: { version: number; ageMs: number; gone: [path: string, from: number][] }[] = []
  let newest: History['newest']
  for await (const entry of readEntries(table)) {
    const { version, actions } = entry
    const gone: [path: string, from: number][] = []
    for (const action of actions) {
      if ('add' in action) live.set(decodeURIComponent(action.add.path), version)
      if (!('remove' in action)) continue
      const path = decodeURIComponent(action.remove.path)
      gone.push([path, live.get(path) ?? 0])
      live.delete(path)
    }
    const running = runningTimeSince(entry, clock)
    commits.push({ version, gone, ageMs: running ?? (await ageByFile(entry, clock)) })
    newest =
      running === undefined ? newest : { ageMs: running, jumpMs: clock.now - timeOf(actions) - running }
  }
  const removed = new Map<string, Removal>()
  let ageMs = 0
  for (const commit of commits.reverse()) {
    ageMs = Math.max(ageMs, commit.ageMs)
    for (const [path, from] of commit.gone)
      if (!live.has(path) && !removed.has(path)) removed.set(path, { from, until: commit.version, ageMs })
  }
  return { commits: commits.length, live: new Set(live.keys()), removed, newest }
}

/** By the time that the machine has run since a commit; undefined for one of another start, or another machine. */
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
  const time = timeOf(actions)
  const isClockWrong = time === 0 || clockBehind(actions) > BEHIND_MS || mtimeMs + SKEW_MS < time
  return isClockWrong ? 0 : Math.max(0, now - Math.max(mtimeMs, committedAt))
}

/** By how much the clock of a commit was behind the commit before it, as far as it says. */
function clockBehind(actions: readonly Action[]): number {
  return actions.reduce(
    (behind, action) => ('commitInfo' in action ? (action.commitInfo.clockBehind ?? behind) : behind),
    0,
  )
}
