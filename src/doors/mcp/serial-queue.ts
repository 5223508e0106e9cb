import { unlessGone } from '../../base/unless-gone.ts'

/** Returns a function that runs jobs one at a time, in order. A job whose signal aborts while it waits is skipped. */
export function serialQueue(): <T>(job: () => Promise<T>, signal: AbortSignal) => Promise<T> {
  let tail: Promise<unknown> = Promise.resolve()
  return async (job, signal) => {
    const previous = tail
    const run = previous.then(() => {
      signal.throwIfAborted()
      return job()
    })
    tail = run.catch(() => {})
    return await unlessGone(run, signal)
  }
}
