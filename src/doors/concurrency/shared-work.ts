import { unlessGone } from '../../base/unless-gone.ts'

export interface SharedWork<T> {
  /** Calls with the same key share one promise; the work is aborted once all their signals are. */
  run(key: string, signal: AbortSignal, begin: (signal: AbortSignal) => Promise<T>): Promise<T>
}

interface Job<T> {
  readonly outcome: Promise<T>
  readonly abort: AbortController
  waiting: number
}

export function shareWork<T>(): SharedWork<T> {
  const jobs = new Map<string, Job<T>>()

  function start(key: string, begin: (signal: AbortSignal) => Promise<T>): Job<T> {
    const abort = new AbortController()
    const job = { outcome: begin(abort.signal), abort, waiting: 0 }
    jobs.set(key, job)
    const end = () => {
      if (jobs.get(key) === job) jobs.delete(key)
    }
    job.outcome.then(end, end)
    return job
  }

  return {
    async run(key, signal, begin) {
      const job = jobs.get(key) ?? start(key, begin)
      job.waiting += 1
      return await unlessGone(job.outcome, signal, () => {
        job.waiting -= 1
        if (job.waiting > 0) return
        if (jobs.get(key) === job) jobs.delete(key)
        job.abort.abort(signal.reason)
      })
    },
  }
}
