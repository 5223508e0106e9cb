import { ServiceError, sentenceOf } from './errors.ts'
import { visible } from './visible.ts'

/**
 * Runs the work of a server that no request waits for: timers, event handlers, hints, messages between processes. Its errors
 * are logged and counted here, and end nothing.
 */

const failures = new Map<string, number>()
let log: (error: unknown) => void = (error) => process.stderr.write(`${visible(sentenceOf(error))}\n`)

/** Sets where this process logs such errors. An error that repeats may be logged once. */
export function logBackgroundErrorsTo(report: (error: unknown) => void): void {
  log = report
}

/** How often each task of this process has failed. */
export const backgroundFailures = (): ReadonlyMap<string, number> => failures

/** Logs and counts an error. Throws nothing, also when the log cannot be written. */
export function noteFailure(task: string, error: unknown): void {
  failures.set(task, (failures.get(task) ?? 0) + 1)
  try {
    log(error instanceof ServiceError ? error : new Error(`${task}: ${sentenceOf(error)}`, { cause: error }))
  } catch {}
}

/** Resolves when the work is done or has failed. */
export async function inBackground(task: string, work: () => unknown): Promise<void> {
  try {
    await work()
  } catch (error) {
    noteFailure(task, error)
  }
}

/** A timer that keeps no process alive. */
export interface Repetition {
  /** Begins no more runs. Resolves when the one in progress is over. */
  stop(): Promise<void>
}

/** Works every `ms`, also after a failure. A run that takes longer skips the next ones. */
export function every(ms: number, task: string, work: () => unknown): Repetition {
  let working: Promise<void> | undefined
  const timer = setInterval(() => {
    working ??= inBackground(task, work).then(() => {
      working = undefined
    })
  }, ms).unref()
  return {
    async stop() {
      clearInterval(timer)
      await working
    },
  }
}

/** Works again and again, also after a failure, with `ms` between the end of a run and the next one; the first begins after `firstMs`. */
export function again(ms: number, task: string, work: () => unknown, firstMs = ms): Repetition {
  let working: Promise<void> = Promise.resolve()
  let isStopped = false
  let timer = setTimeout(run, firstMs).unref()
  function run(): void {
    working = inBackground(task, work).then(() => {
      if (!isStopped) timer = setTimeout(run, ms).unref()
    })
  }
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
      return working
    },
  }
}
