import { unlessGone } from '../../base/unless-gone.ts'

/** Runs jobs one at a time, in the order in which they came; one whose signal aborts while it waits is not begun. */
export function oneAfterAnother(): <T>(job: () => Promise<T>, signal: AbortSignal) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return async (job, signal) => {
    const before = last
    const own = before.then(() => {
      signal.throwIfAborted()
      return job()
    })
    last = own.catch(() => {})
    return await unlessGone(own, signal)
  }
}
