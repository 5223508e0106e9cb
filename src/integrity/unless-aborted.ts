/** Rejects with the reason of the signal as soon as it is aborted; what is under way goes on for others. */
export async function unlessAborted(
  underWay: Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (signal === undefined) return void (await underWay)
  const stop = new AbortController()
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: stop.signal })
  })
  try {
    await Promise.race([underWay, aborted])
  } finally {
    stop.abort()
  }
}
