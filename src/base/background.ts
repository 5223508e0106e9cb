import { ServiceError, sentenceOf } from './errors.ts'
import { visible } from './visible.ts'

/** Background work of a server: timers, event handlers, messages between processes. Errors are logged and counted; they end nothing. */

const failures = new Map<string, number>()
type Report = (error: unknown) => void
let log: Report = (error) => process.stderr.write(`${visible(sentenceOf(error))}\n`)
const listeners = new Set<{ readonly report: Report }>()

/** Sets the log of background errors. It may drop repeated errors. */
export function logBackgroundErrorsTo(report: Report): void {
  log = report
}

/**
 * Reports background errors of this process to a listener, and to those added before, instead of the log. Returns a
 * function that removes the listener.
 */
export function listenToBackgroundErrors(report: Report): () => void {
  const listener = { report }
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Failures of this process, by task. */
export const backgroundFailures = (): ReadonlyMap<string, number> => failures

/** Logs and counts an error. Never throws, even if the log cannot be written. */
export function noteFailure(task: string, error: unknown): void {
  failures.set(task, (failures.get(task) ?? 0) + 1)
  const failure =
    error instanceof ServiceError ? error : new Error(`${task}: ${sentenceOf(error)}`, { cause: error })
  const reports = listeners.size === 0 ? [log] : [...listeners].map(({ report }) => report)
  for (const report of reports) {
    try {
      report(failure)
    } catch {}
  }
}

/** Runs work and resolves when it is done or has failed. */
export async function inBackground(task: string, work: () => unknown): Promise<void> {
  try {
    await work()
  } catch (error) {
    noteFailure(task, error)
  }
}

/** A timer that does not keep the process alive. */
export interface Repetition {
  /** Stops the timer. Resolves when the run in progress is over. */
  stop(): Promise<void>
}

/** Runs work every `ms`, also after a failure. A long run skips the next ones. */
export function repeatEvery(ms: number, task: string, work: () => unknown): Repetition {
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

/** Runs work repeatedly, also after a failure, `ms` after the end of each run. The first run starts after `firstMs`. */
export function repeatAfter(ms: number, task: string, work: () => unknown, firstMs = ms): Repetition {
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
