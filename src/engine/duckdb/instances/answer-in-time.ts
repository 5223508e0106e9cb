import { randomFill } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'

const TICKS = 10
const fill = promisify(randomFill)

/**
 * Rejects when an answer takes longer than `longestMs`. What a thread has to begin is not counted before one is free, nor is the time
 * in which this process was held up itself.
 */
export async function answerInTime(answer: Promise<unknown>, longestMs: number): Promise<void> {
  const stop = new AbortController()
  async function tooLong(): Promise<never> {
    // Threads take up what waits for them in the order of its coming.
    await fill(Buffer.alloc(1))
    // After a stop of the process a timer fires late, and only once.
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
