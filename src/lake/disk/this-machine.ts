import { readFileSync, readlinkSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { digestOf } from './disk.ts'

/** The wall clock, and the monotonic time since boot. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Identifies one boot of one machine. */
  readonly boot: string
  /** Milliseconds since boot, including suspension. */
  readonly sinceBoot: number
}

/** Reads both clocks. Without an uptime of the system, each process counts as a boot. */
export function readClock(): Clock {
  const start = readBootId()
  const uptime = start && read('/proc/uptime')?.split(' ')[0]
  const seconds = uptime === undefined ? process.uptime() : Number(uptime)
  const boot = start && uptime ? shortDigest(`${start}${containerOfUptime()}`) : processStart
  return { now: Date.now(), boot, sinceBoot: Math.floor(seconds * 1000) }
}

/** Reads the start of a process in ticks since boot; 0 for a zombie, undefined without /proc. */
function readProcessStart(pid: number): number | undefined {
  // The program name, in brackets, may have blanks. State is the first field after it, start the 20th.
  const fields = read(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ')
  return fields && (fields[0] === 'Z' ? 0 : Number(fields[19]))
}

/** Distinguishes processes with the same pid; undefined when /proc is missing. */
export function birthOf(pid: number): string | undefined {
  const [start, started] = [readBootId(), readProcessStart(pid)]
  if (start !== undefined && started !== undefined) return shortDigest(`${shortDigest(start)} ${started}`)
  return pid === process.pid ? processStart : undefined
}

let space: string | undefined

/** Identifies the machine and namespaces within which pids and start times are comparable. */
export function processSpace(): string {
  space ??= shortDigest(
    `${hostname()} ${namespace('pid')} ${namespace('time')} ${read('/etc/machine-id') ?? readBootId() ?? processStart}`,
  )
  return space
}

/** The same in names of older builds, which compared host names only. */
export function formerProcessSpace(): string {
  return shortDigest(`${hostname()} ${namespace('pid')}`)
}

const processStart = shortDigest(`${hostname()} ${process.pid} ${performance.timeOrigin}`)

/** Returns the boot id and time namespace; undefined without /proc. Times since boot differ between time namespaces. */
function readBootId(): string | undefined {
  const id = read('/proc/sys/kernel/random/boot_id')
  return id && `${id} ${namespace('time')}`
}

/** Identifies a container with an emulated `/proc/uptime`, as by lxcfs, which counts from its first process. */
function containerOfUptime(): string {
  const isEmulated = deviceOf('/proc/uptime') !== deviceOf('/proc/self/stat')
  return isEmulated ? ` ${namespace('pid')} ${readProcessStart(1)}` : ''
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
  return digestOf(text).slice(0, 12)
}
