/**
 * Waits for an outcome that may go on for others. If the signal aborts first, calls `leave` and rejects with the reason of the
 * signal; how the outcome ends is not looked at then. Without a signal it is the outcome.
 */
export function unlessGone<T>(
  outcome: Promise<T>,
  signal: AbortSignal | undefined,
  leave = () => {},
): Promise<T> {
  if (signal === undefined) return outcome
  return new Promise((resolve, reject) => {
    const give = () => {
      leave()
      reject(signal.reason)
    }
    if (signal.aborted) {
      outcome.catch(() => {})
      return give()
    }
    signal.addEventListener('abort', give, { once: true })
    const settled = () => signal.removeEventListener('abort', give)
    outcome.then(
      (found) => {
        settled()
        resolve(found)
      },
      (error) => {
        settled()
        reject(error)
      },
    )
  })
}
