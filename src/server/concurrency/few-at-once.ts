import { fail } from '../../errors.ts'
import { unlessGone } from './shared-work.ts'

export type FewAtOnce = <T>(signal: AbortSignal, job: () => Promise<T>) => Promise<T>

/**
 * Runs at most `most` jobs at a time, while at most `mostWaiting` wait. A job whose signal aborts makes room at once.
 * Errors: `overloaded`, with the sentence given, when more are waiting already.
 */
export function fewAtOnce(most: number, mostWaiting: number, sentence: string): FewAtOnce {
  let running = 0
  const waiting = new Set<() => void>()

  async function enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (running < most) {
      running += 1
      return
    }
    if (waiting.size >= mostWaiting) fail('overloaded', sentence)
    let go = () => {}
    const turn = new Promise<void>((resolve) => {
      go = resolve
    })
    waiting.add(go)
    await unlessGone(turn, signal, () => {
      // It may have been called in the same moment.
      if (!waiting.delete(go)) leave()
    })
  }

  function leave(): void {
    const [next] = waiting
    if (next === undefined) running -= 1
    else {
      waiting.delete(next)
      next()
    }
  }

  return async (signal, job) => {
    await enter(signal)
    try {
      return await unlessGone(job(), signal, () => {})
    } finally {
      leave()
    }
  }
}
