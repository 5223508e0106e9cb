import { StoreFault } from './object-store.ts'

/** The bytes of a reply, which end with an error after a silence. `faultOf` says what an error means. Errors: as it says, the reason of the signal. */
export async function* untilSilent(
  chunks: AsyncIterable<Uint8Array>,
  silentMs: number,
  faultOf: (error: unknown) => Error,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await withinSilence(iterator.next(), silentMs)
      if (next.done) return
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
