import { ServiceError, sentenceOf } from './errors.ts'
import { visible } from './visible.ts'

/** Background work of a server: timers, event handlers, messages between processes. Errors are logged and counted; they end nothing. */

const failures = new Map<string, number>()
let log: (error: unknown) => void = (error) => process.stderr.write(`${visible(sentenceOf(error))}\n`)

/** Sets the log of background errors. It may drop repeated errors. */
export function logBackgroundErrorsTo(report: (error: unknown) => void): void {
  log = report
}

/** Failures of this process, by task. */
export const backgroundFailures = (): ReadonlyMap<string, number> => failures

/** Logs and counts an error. Never throws, even if the log cannot be written. */
export function noteFailure(task: string, error: unknown): void {
  failures.set(task, (failures.get(task) ?? 0) + 1)
  try {
    log(error instanceof ServiceError ? error : new Error(`${task}: ${sentenceOf(error)}`, { cause: error }))
  } catch {}
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
