import closeWithGrace from 'close-with-grace'
import { inBackground, noteFailure } from '../../background.ts'
import { errorTable } from '../../errors.ts'

const DRAIN_MS = 9_000
/** The parent waits for its workers. */
const PARENT_MS = 10_000

type Stop = (error?: unknown) => Promise<void>

interface Ending {
  /** Stops and ends the process with 0. */
  close(): void
  uninstall(): void
}

/**
 * Calls `stop` at a signal, and ends the process with 0; a second signal ends it at once, with 1. An exception that nothing catches stops it
 * too, and ends it with 70, since nobody knows what it left half done.
 */
export function onStop(isWorker: boolean, stop: Stop): Ending {
  // A terminal that is closed sends it to all its processes; a worker leaves it to its parent.
  if (isWorker) process.on('SIGHUP', () => {})
  return endBy(stop, DRAIN_MS, isWorker)
}

/**
 * The same for a parent of workers. SIGHUP restarts, as for other services, unless it comes from a terminal that is closed.
 */
export function onParentStop(restart: () => Promise<void>, stop: Stop): void {
  const isRestarted = !process.stdin.isTTY
  if (isRestarted) process.on('SIGHUP', () => inBackground('replacing the workers', restart))
  endBy(stop, PARENT_MS, isRestarted)
}

function endBy(stop: Stop, delay: number, isHangUpKept: boolean): Ending {
  const skip = ['unhandledRejection', 'beforeExit', ...(isHangUpKept ? ['SIGHUP'] : [])]
  process.on('unhandledRejection', goOn)
  process.on('beforeExit', endWithFault)
  const grace = closeWithGrace({ delay, skip: skip as 'SIGHUP'[] }, async ({ err }) => {
    await stop(err)
    if (err !== undefined) process.exit(errorTable.internal.exit)
  })
  return {
    close: () => inBackground('stopping', grace.close),
    uninstall() {
      grace.uninstall()
      process.off('unhandledRejection', goOn)
      process.off('beforeExit', endWithFault)
    },
  }
}

/** A rejection that nobody waits for is of work that no request needs. */
function goOn(error: unknown): void {
  noteFailure('unhandled rejection', error)
}

/** A server that nothing keeps going any more has not been told to stop. */
function endWithFault(): void {
  process.exit(process.exitCode || errorTable.internal.exit)
}
