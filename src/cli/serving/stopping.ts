import closeWithGrace from 'close-with-grace'
import { inBackground, noteFailure } from '../../base/background.ts'
import { errorTable } from '../../base/errors.ts'

const DRAIN_MS = 9_000
/** Longer than `DRAIN_MS`, because the parent waits for its workers. */
const PARENT_MS = 10_000

type Stop = (error?: unknown) => Promise<void>

interface Ending {
  /** Stops and ends the process with 0. */
  close(): void
  uninstall(): void
}

/**
 * Calls `stop` at a signal, and ends the process with 0; a second signal ends it at once, with 1. An uncaught exception
 * stops it too, and ends it with 70, because its state is unknown.
 */
export function onStop(isWorker: boolean, stop: Stop): Ending {
  // A closing terminal sends SIGHUP to all its processes; the parent handles it for its workers.
  if (isWorker) process.on('SIGHUP', () => {})
  return endBy(stop, DRAIN_MS, isWorker)
}

/**
 * Calls `stop` at a signal, in a parent of workers. SIGHUP restarts the workers instead, unless a terminal is attached:
 * a closing terminal sends it too.
 */
export function onParentStop(restart: () => Promise<void>, stop: Stop): void {
  const isRestarted = !process.stdin.isTTY
  if (isRestarted) process.on('SIGHUP', () => inBackground('replacing the workers', restart))
  endBy(stop, PARENT_MS, isRestarted)
}

const signals = ['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGHUP'] as const
/** Faults end the process at once. */
const faults = ['SIGUSR2', 'SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGSEGV'] as const
/** npm and other wrappers forward a signal that the terminal already sent to all processes. */
const REPEATED_MS = 1000

function endBy(stop: Stop, delay: number, isHangUpKept: boolean): Ending {
  const kept = signals.filter((signal) => signal !== 'SIGHUP' || !isHangUpKept)
  const skip = [...signals, ...faults, 'unhandledRejection', 'beforeExit']
  let stoppedAt: number | undefined
  const grace = closeWithGrace({ delay, skip: skip as (typeof signals)[number][] }, async ({ err }) => {
    stoppedAt ??= performance.now()
    await stop(err)
    if (err !== undefined) process.exit(errorTable.internal.exit)
  })
  const close = () => inBackground('stopping', grace.close)
  function onSignal(): void {
    if (stoppedAt === undefined) close()
    else if (performance.now() - stoppedAt > REPEATED_MS) process.exit(1)
  }
  for (const signal of kept) process.on(signal, onSignal)
  process.on('unhandledRejection', goOn)
  process.on('beforeExit', endWithFault)
  return {
    close,
    uninstall() {
      grace.uninstall()
      for (const signal of kept) process.off(signal, onSignal)
      process.off('unhandledRejection', goOn)
      process.off('beforeExit', endWithFault)
    },
  }
}

/** Logs an unhandled rejection. It comes from background work that no request needs. */
function goOn(error: unknown): void {
  noteFailure('unhandled rejection', error)
}

/** Ends with an error: if the event loop runs empty, nobody asked the server to stop. */
function endWithFault(): void {
  process.exit(process.exitCode || errorTable.internal.exit)
}
