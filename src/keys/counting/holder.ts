import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Event } from './event.ts'
import { type Holder, LONGEST_REQUEST_MS } from './tally.ts'

/** A name for one counter of this process. */
export function newHolderName(): string {
  return randomBytes(4).toString('hex')
}

/** The line by which a counter of this process says who it is. */
export function introduce(holder: string, at: number): Event {
  return {
    kind: 'holder',
    id: spaceOfProcess(),
    holder,
    at,
    first: startOf(process.pid) ?? 0,
    second: process.pid,
  }
}

/**
 * Whether the process of a holder has ended, so that what it reserved is free again. Of a process of another machine or
 * container nothing can be seen; it counts as ended once it has counted nothing for a day.
 */
export function isGone(holder: Holder | undefined, now: number): boolean {
  if (holder === undefined) return false
  if (holder.space !== spaceOfProcess()) return now - holder.seen > LONGEST_REQUEST_MS
  try {
    process.kill(holder.pid, 0)
    return (startOf(holder.pid) ?? holder.startedAt) !== holder.startedAt
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EPERM')
  }
}

/** When a process began, in ticks since the machine did; 0 for one that was killed and waits for its parent, undefined where there is no /proc. */
function startOf(pid: number): number | undefined {
  try {
    // The name of the program, in brackets, may hold blanks; the state is the first field after it, the start the 20th.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
    return fields[0] === 'Z' ? 0 : Number(fields[19])
  } catch {
    return undefined
  }
}

let space: string | undefined

/** Process numbers mean something only within one machine and, in containers, one namespace. */
function spaceOfProcess(): string {
  space ??= createHash('sha256').update(`${hostname()} ${namespaceOf()}`).digest('hex').slice(0, 12)
  return space
}

function namespaceOf(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}
