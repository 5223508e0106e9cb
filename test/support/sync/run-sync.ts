import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { type Moment, runUntil } from '../../torture/interrupts/run-until.ts'
import { awsEnvironment } from './bucket-server.ts'
import type { FaultProxy } from './fault-proxy.ts'

/** Members that the program prints of a run; integers beyond 2^53 are text. */
interface Said {
  readonly fetched: number
  readonly stored: number
  readonly left: readonly { readonly key: string; readonly reason: string }[]
  readonly isBudgetSpent: boolean
}

export interface SyncRun {
  /** Exit code; null when it was killed. */
  readonly code: number | null
  /** Undefined when it was killed or left with an error. */
  readonly said: Said | undefined
  readonly stderr: string
}

/** A bucket, and the lake that it is fetched into. */
export interface Place {
  readonly folder: string
  readonly lake: string
  readonly bucket: string
  readonly proxy: FaultProxy
}

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

const LONGEST_MS = 600_000
const never: Moment = () => setTimeout(LONGEST_MS, undefined, { ref: false })

/** Runs `ledgerlake sync` once; it is killed when the moment comes before its end. */
export async function runSync(place: Place, flags: readonly string[] = [], moment = never): Promise<SyncRun> {
  let watch: NodeJS.Timeout | undefined
  const around = { cwd: place.folder, env: awsEnvironment }
  const { code, stdout, stderr } = await runUntil([...syncArguments(place), ...flags], around, (child) => {
    watch = setInterval(() => noteMemory(child), 20)
    return moment(child)
  })
  clearInterval(watch)
  const said = (code === 0 || code === 3) && stdout.startsWith('{') ? (JSON.parse(stdout) as Said) : undefined
  return { code, said, stderr }
}

function noteMemory({ pid }: ChildProcess): void {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    mostMb = Math.max(mostMb, Number(kilobytes ?? 0) / 1024)
  } catch {
    // It has just ended.
  }
}
