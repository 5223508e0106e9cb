import { unlessGone } from '../../base/unless-gone.ts'

/** Work that several callers may wait for. */
export interface SharedWork<T> {
  /** Callers with the same key share one outcome; the work is aborted when all of them are gone. */
  of(key: string, signal: AbortSignal, begin: (signal: AbortSignal) => Promise<T>): Promise<T>
}

interface UnderWay<T> {
  readonly outcome: Promise<T>
  readonly stop: AbortController
  waiting: number
}

export function shareWork<T>(): SharedWork<T> {
  const underWay = new Map<string, UnderWay<T>>()

  function start(key: string, begin: (signal: AbortSignal) => Promise<T>): UnderWay<T> {
    const stop = new AbortController()
    const begun = { outcome: begin(stop.signal), stop, waiting: 0 }
    underWay.set(key, begun)
    const end = () => {
      if (underWay.get(key) === begun) underWay.delete(key)
    }
    begun.outcome.then(end, end)
    return begun
  }

  return {
    async of(key, signal, begin) {
      const shared = underWay.get(key) ?? start(key, begin)
      shared.waiting += 1
      return await unlessGone(shared.outcome, signal, () => {
        shared.waiting -= 1
        if (shared.waiting > 0) return
        if (underWay.get(key) === shared) underWay.delete(key)
        shared.stop.abort(signal.reason)
      })
    },
  }
}
