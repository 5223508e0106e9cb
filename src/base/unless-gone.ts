/**
 * Waits for an outcome that may continue for other requests. If the signal aborts first, calls `leave`,
 * rejects with the reason of the signal, and ignores the outcome.
 */
export function unlessGone<T>(
  outcome: Promise<T>,
  signal: AbortSignal | undefined,
  leave = () => {},
): Promise<T> {
  if (signal === undefined) return outcome
  return new Promise((resolve, reject) => {
    const rejectEarly = () => {
      leave()
      reject(signal.reason)
    }
    if (signal.aborted) {
      outcome.catch(() => {})
      return rejectEarly()
    }
    signal.addEventListener('abort', rejectEarly, { once: true })
    const settled = () => signal.removeEventListener('abort', rejectEarly)
    outcome.then(
      (value) => {
        settled()
        resolve(value)
      },
      (error) => {
        settled()
        reject(error)
      },
    )
  })
}
