import { stat } from 'node:fs/promises'
import { type LogEntry, readEntries } from './delta-log.ts'
import { timeOf } from './table-state.ts'
import type { Clock } from './this-machine.ts'

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
  readonly live: ReadonlySet<string>
  readonly removed: ReadonlyMap<string, Removal>
  /** The newest commit since the machine started: how long ago, and how much longer ago by the clock. */
  readonly newest: { readonly ageMs: number; readonly jumpMs: number } | undefined
}

/** A file time may be cut to two seconds. */
const ROUNDED_MS = 2000

/**
 * Since when files are removed. A commit since this start of the machine is as old as the machine's running time says. Any other is as old as the
 * later of its own time and that of its entry's file; where that file is older than the commit before it, the clock was wrong, and it is as old
 * as the next commit. No version is younger than a later one. Every entry is read. Errors: as `readEntries`.
 */
export async function readHistory(table: string, clock: Clock): Promise<History> {
  const live = new Map<string, number>()
  const gone: (readonly [path: string, from: number, until: number])[] = []
  const ages: number[] = []
  let newest: History['newest']
  for await (const entry of readEntries(table)) {
    const { version, actions } = entry
    for (const action of actions) {
      if ('add' in action) live.set(decodeURIComponent(action.add.path), version)
      if (!('remove' in action)) continue
      const path = decodeURIComponent(action.remove.path)
      gone.push([path, live.get(path) ?? 0, version])
      live.delete(path)
    }
    const running = runningTimeSince(entry, clock)
    ages.push(running ?? (await ageByFile(entry, clock)))
    if (running !== undefined) newest = { ageMs: running, jumpMs: clock.now - timeOf(actions) - running }
  }
  for (let version = ages.length - 2; version >= 0; version -= 1)
    ages[version] = Math.max(ages[version] ?? 0, ages[version + 1] ?? 0)
  const removed = new Map<string, Removal>()
  for (const [path, from, until] of gone)
    if (!live.has(path)) removed.set(path, { from, until, ageMs: ages[until] ?? 0 })
  return { live: new Set(live.keys()), removed, newest }
}

/** By the time that the machine has run since a commit; undefined for one of another start, or another machine. */
function runningTimeSince({ actions }: LogEntry, { boot, sinceBoot }: Clock): number | undefined {
  for (const action of actions)
    if ('commitInfo' in action && action.commitInfo.boot === boot)
      return Math.max(0, sinceBoot - (action.commitInfo.sinceBoot ?? sinceBoot))
  return undefined
}

async function ageByFile({ path, actions, committedAt }: LogEntry, { now }: Clock): Promise<number> {
  const { mtimeMs } = await stat(path)
  const isClockWrong = mtimeMs + ROUNDED_MS < timeOf(actions) || timeOf(actions) === 0
  return isClockWrong ? 0 : Math.max(0, now - Math.max(mtimeMs, committedAt))
}
