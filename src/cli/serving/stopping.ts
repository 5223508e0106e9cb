import closeWithGrace from 'close-with-grace'

const DRAIN_MS = 9_000
/** The parent waits for its workers. */
const PARENT_MS = 10_000

/** Calls `stop` at a signal, or with an unexpected error, and ends the process after it. A second signal ends it at once. */
export function onStop(isWorker: boolean, stop: (error?: unknown) => Promise<void>) {
  // A terminal that is closed sends it to all its processes; a worker leaves it to its parent.
  if (isWorker) process.on('SIGHUP', () => {})
  return closeWithGrace({ delay: DRAIN_MS, skip: isWorker ? ['SIGHUP'] : [] }, ({ err }) => stop(err))
}

/**
 * The same for a parent of workers. SIGHUP restarts, as for other services, unless it comes from a terminal that is closed.
 */
export function onParentStop(restart: () => Promise<void>, stop: (error?: unknown) => Promise<void>): void {
  const skip = process.stdin.isTTY ? [] : (['SIGHUP'] as const)
  if (skip.length > 0) process.on('SIGHUP', () => void restart())
  closeWithGrace({ delay: PARENT_MS, skip: [...skip] }, ({ err }) => stop(err))
}
