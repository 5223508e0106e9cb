import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Two clocks: the one that people set, and the time since the machine started, which nobody sets. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Names one start of one machine. */
  readonly boot: string
  /** Milliseconds since that start; suspension counts. */
  readonly sinceBoot: number
}

const TICK_MS = 10

/** Both clocks, read now. Where the system does not tell when it started, each process is a start of its own. */
export function readClock(): Clock {
  const started = startOf(process.pid) ?? 0
  return {
    now: Date.now(),
    boot: bootOf(),
    sinceBoot: Math.floor(started * TICK_MS + process.uptime() * 1000),
  }
}

/** When a process began, in ticks since the machine did; 0 for one that was killed and waits for its parent, undefined where there is no /proc. */
export function startOf(pid: number): number | undefined {
  // The name of the program, in brackets, may hold blanks; the state is the first field after it, the start the 20th.
  const fields = read(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ')
  return fields && (fields[0] === 'Z' ? 0 : Number(fields[19]))
}

/** Tells a process from others of the same number, before it and after it; undefined where that cannot be seen. */
export function birthOf(pid: number): string | undefined {
  const started = startOf(pid)
  if (started !== undefined) return shortDigest(`${bootOf()} ${started}`)
  return pid === process.pid ? bootOf() : undefined
}

let space: string | undefined

/** Process numbers mean something only within one machine and, in containers, one namespace. */
export function processSpace(): string {
  space ??= shortDigest(`${hostname()} ${namespace('pid')} ${read('/etc/machine-id') ?? bootOf()}`)
  return space
}

/** The same as builds wrote it that took machines of one name for one. */
export function formerProcessSpace(): string {
  return shortDigest(`${hostname()} ${namespace('pid')}`)
}

let boot: string | undefined

/** The time since the start differs between time namespaces. */
function bootOf(): string {
  const id =
    read('/proc/sys/kernel/random/boot_id') ?? `${hostname()} ${process.pid} ${performance.timeOrigin}`
  boot ??= shortDigest(`${id} ${namespace('time')}`)
  return boot
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1').trim() || undefined
  } catch {
    return undefined
  }
}

function namespace(kind: 'pid' | 'time'): string {
  try {
    return readlinkSync(`/proc/self/ns/${kind}`)
  } catch {
    return ''
  }
}

const shortDigest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12)
