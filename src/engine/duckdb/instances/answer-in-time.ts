import { randomFill } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'

const TICKS = 10
const fill = promisify(randomFill)

/** Rejects if an answer takes longer than `longestMs`, without the wait for a thread and stalls of this process. */
export async function answerInTime(answer: Promise<unknown>, longestMs: number): Promise<void> {
  const stop = new AbortController()
  async function tooLong(): Promise<never> {
    // Threads take tasks in order.
    await fill(Buffer.alloc(1))
    // After a stall of the process a timer fires once, late.
    for (let tick = 0; tick < TICKS; tick += 1)
      await setTimeout(longestMs / TICKS, undefined, { signal: stop.signal, ref: false })
    throw new Error(`no answer in ${longestMs} ms`)
  }
  try {
    await Promise.race([answer, tooLong()])
  } finally {
    stop.abort()
  }
}
