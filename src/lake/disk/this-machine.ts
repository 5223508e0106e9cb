import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync, statSync } from 'node:fs'
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

/** Both clocks, read now. Where the system does not tell for how long it has run, each process is a start of its own. */
export function readClock(): Clock {
  const start = startOfMachine()
  const uptime = start && read('/proc/uptime')?.split(' ')[0]
  const seconds = uptime === undefined ? process.uptime() : Number(uptime)
  const boot = start && uptime ? shortDigest(`${start}${containerOfUptime()}`) : ownStart
  return { now: Date.now(), boot, sinceBoot: Math.floor(seconds * 1000) }
}

/** When a process began, in ticks since the machine did; 0 for one that was killed and waits for its parent, undefined where there is no /proc. */
export function startOf(pid: number): number | undefined {
  // The name of the program, in brackets, may hold blanks; the state is the first field after it, the start the 20th.
  const fields = read(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ')
  return fields && (fields[0] === 'Z' ? 0 : Number(fields[19]))
}

/** Tells a process from others of the same number, before it and after it; undefined where that cannot be seen. */
export function birthOf(pid: number): string | undefined {
  const [start, started] = [startOfMachine(), startOf(pid)]
  if (start !== undefined && started !== undefined) return shortDigest(`${shortDigest(start)} ${started}`)
  return pid === process.pid ? ownStart : undefined
}

let space: string | undefined

/** Process numbers and starts mean something only within one machine and, in containers, one namespace of each. */
export function processSpace(): string {
  space ??= shortDigest(
    `${hostname()} ${namespace('pid')} ${namespace('time')} ${read('/etc/machine-id') ?? startOfMachine() ?? ownStart}`,
  )
  return space
}

/** The same as builds wrote it that took machines of one name for one. */
export function formerProcessSpace(): string {
  return shortDigest(`${hostname()} ${namespace('pid')}`)
}

const ownStart = shortDigest(`${hostname()} ${process.pid} ${performance.timeOrigin}`)

/** Undefined where the system does not tell. Times since the start differ between time namespaces. */
function startOfMachine(): string | undefined {
  const id = read('/proc/sys/kernel/random/boot_id')
  return id && `${id} ${namespace('time')}`
}

/** Of a container whose `/proc/uptime` is not the kernel's, as lxcfs makes it: that counts from the start of its first process. */
function containerOfUptime(): string {
  const isOwn = deviceOf('/proc/uptime') !== deviceOf('/proc/self/stat')
  return isOwn ? ` ${namespace('pid')} ${startOf(1)}` : ''
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1').trim() || undefined
  } catch {
    return undefined
  }
}

const deviceOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.dev

function namespace(kind: 'pid' | 'time'): string {
  try {
    return readlinkSync(`/proc/self/ns/${kind}`)
  } catch {
    return ''
  }
}

function shortDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
