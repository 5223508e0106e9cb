import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { startProgram } from '../run-program.ts'
import { awsEnvironment } from './bucket-server.ts'
import type { FaultProxy } from './fault-proxy.ts'

/** `ledgerlake sync` as a process, run to its end or killed on its way. */

/** What the program says of a run; integers beyond 2^53 are text. */
interface Said {
  readonly listed: number
  readonly fetched: number
  readonly stored: number
  readonly left: readonly { readonly key: string; readonly reason: string }[]
  readonly isBudgetSpent: boolean
  readonly totalNanos: string
}

export interface SyncRun {
  /** Exit code; null when it was killed. */
  readonly code: number | null
  /** What it said at its end; undefined when it was killed or left with an error. */
  readonly said: Said | undefined
  readonly stderr: string
}

/** Where a bucket lies and who fetches it. */
export interface Place {
  readonly folder: string
  readonly lake: string
  readonly bucket: string
  readonly proxy: FaultProxy
}

/** Resolves when the program is to be killed; it may be asked whether that is over. */
export type Moment = (isOver: () => boolean) => Promise<unknown>

const LONGEST_MS = 600_000
const WATCH_EVERY_MS = 20

let mostMb = 0

/** The most resident memory of all runs so far, in mebibytes. */
export function peakMb(): number {
  return mostMb
}

/** The flags of every run of a place. */
export function syncArguments({ lake, bucket, proxy }: Place): readonly string[] {
  const store = [`s3://${bucket}`, '--endpoint', proxy.endpoint, '--requester-pays']
  return ['sync', ...store, '--lake', lake, '--json', '--overlap-hours', '96']
}

/** Runs once; killed when the moment comes before its end. */
export async function runSync(
  place: Place,
  flags: readonly string[] = [],
  moment: Moment = () => setTimeout(LONGEST_MS, undefined, { ref: false }),
): Promise<SyncRun> {
  const { child, finished } = startProgram([...syncArguments(place), ...flags], {
    cwd: place.folder,
    env: awsEnvironment,
  })
  const watch = setInterval(() => noteMemory(child.pid), WATCH_EVERY_MS)
  const isOver = () => child.exitCode !== null
  await Promise.race([moment(isOver), finished])
  if (!isOver()) child.kill('SIGKILL')
  const { code, stdout, stderr } = await finished
  clearInterval(watch)
  return { code, said: code === 0 || code === 3 ? saidBy(stdout) : undefined, stderr }
}

function saidBy(stdout: string): Said | undefined {
  return stdout.startsWith('{') ? (JSON.parse(stdout) as Said) : undefined
}

function noteMemory(pid: number | undefined): void {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    mostMb = Math.max(mostMb, Number(kilobytes ?? 0) / 1024)
  } catch {
    // It has just ended.
  }
}
