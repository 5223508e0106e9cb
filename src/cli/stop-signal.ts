const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Returns a signal that SIGINT, SIGTERM, SIGHUP and the given events of this process abort. */
export function stopSignal(...events: readonly string[]): AbortSignal {
  const stop = new AbortController()
  for (const event of [...endings, ...events]) process.once(event, () => stop.abort())
  return stop.signal
}
