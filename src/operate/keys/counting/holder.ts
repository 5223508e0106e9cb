import { randomBytes } from 'node:crypto'
import { processSpace, readProcessStart } from '../../../lake/disk/this-machine.ts'
import type { Event } from './event.ts'
import { type CountingProcess, LONGEST_REQUEST_MS } from './tally.ts'

/** A name for one counter of this process. */
export function newHolderName(): string {
  return randomBytes(4).toString('hex')
}

/** The line by which a counter of this process says who it is. */
export function introduce(holder: string, at: number): Event {
  return {
    kind: 'holder',
    id: processSpace(),
    holder,
    at,
    first: readProcessStart(process.pid) ?? 0,
    second: process.pid,
  }
}

/** When this process first saw the last event of a holder that it cannot see itself. */
const seenAt = new Map<string, { readonly seen: number; readonly at: number }>()

/**
 * Whether the process of a holder has ended, so that what it reserved is free again. Of a process of another machine or
 * container nothing can be seen; it counts as ended once it has counted nothing for a day by this process's own time.
 */
export function isGone(
  name: string,
  holder: CountingProcess | undefined,
  passedMs = performance.now(),
): boolean {
  if (holder === undefined) return false
  if (holder.space !== processSpace()) {
    const last = seenAt.get(name)
    if (last?.seen !== holder.seen) seenAt.set(name, { seen: holder.seen, at: passedMs })
    return last?.seen === holder.seen && passedMs - last.at > LONGEST_REQUEST_MS
  }
  try {
    process.kill(holder.pid, 0)
    return (readProcessStart(holder.pid) ?? holder.startedAt) !== holder.startedAt
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EPERM')
  }
}
