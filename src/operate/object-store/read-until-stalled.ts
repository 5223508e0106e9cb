import { StoreFault } from './object-store.ts'

/** Slowest accepted body. */
export interface Pace {
  /** Longest wait for a chunk. */
  readonly silentMs: number
  /** Bytes required per `windowMs` of waiting. */
  readonly leastBytes: number
  readonly windowMs: number
}

/** Slowest accepted rate: three times a modem, a tenth of slow mobile data. */
export const LEAST_BYTES_PER_S = 10_000

export function paceOf(silentMs: number): Pace {
  return { silentMs, leastBytes: LEAST_BYTES_PER_S * 60, windowMs: 60_000 }
}

/**
 * Yields the bytes of a reply; fails after a silence or below the slowest rate. The time of the reader does not
 * count. `faultOf` converts errors.
 * Errors: those of `faultOf`, the reason of the signal.
 */
export async function* readUntilStalled(
  chunks: AsyncIterable<Uint8Array>,
  { silentMs, leastBytes, windowMs }: Pace,
  faultOf: (error: unknown) => Error,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  let [waitedMs, bytes] = [0, 0]
  try {
    for (;;) {
      const begun = performance.now()
      const next = await withinSilence(iterator.next(), silentMs)
      if (next.done) return
      waitedMs += performance.now() - begun
      bytes += next.value.length
      if (waitedMs >= windowMs) {
        if (bytes < leastBytes)
          throw new StoreFault('passing', `only ${bytes} bytes came in ${Math.round(waitedMs / 1000)} s`)
        waitedMs = 0
        bytes = 0
      }
      yield next.value
    }
  } catch (error) {
    signal?.throwIfAborted()
    throw faultOf(error)
  } finally {
    void iterator.return?.().catch(() => {})
  }
}

async function withinSilence<T>(next: Promise<T>, silentMs: number): Promise<T> {
  const limit = new AbortController()
  const silence = new Promise<never>((_, reject) => {
    const fault = new StoreFault('passing', `nothing came for ${silentMs / 1000} s`)
    const timer = setTimeout(() => reject(fault), silentMs)
    limit.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  })
  try {
    return await Promise.race([next, silence])
  } finally {
    limit.abort()
  }
}
