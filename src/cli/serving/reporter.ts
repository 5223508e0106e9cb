import { ServiceError, sentenceOf } from '../../base/errors.ts'
import { visibleLines } from '../../base/visible.ts'
import type { Log, openLogger } from '../../doors/hooks/log.ts'
import type { Settings } from '../../services/settings/settings.ts'

/** Access lines of this time are written together: each write wakes the program that reads them. */
const ACCESS_DELAY_MS = 10

/** The log of a server: JSON lines on standard error, in order. */
export function logOf(settings: Settings): Log {
  const print = (text: string) => process.stderr.write(visibleLines(text))
  let waiting: string[] = []

  function printWaiting(): void {
    if (waiting.length === 0) return
    const text = waiting.join('')
    waiting = []
    print(text)
  }

  if (settings.access_log) process.once('exit', printWaiting)
  return {
    access: settings.access_log,
    level: settings.log_level,
    slowRequestMs: settings.slow_request_ms,
    write(line) {
      printWaiting()
      print(line)
    },
    writeAccess(line) {
      if (waiting.length === 0) setTimeout(printWaiting, ACCESS_DELAY_MS)
      waiting.push(line)
    },
  }
}

/** Logger of `serve` for lines outside of requests. */
export type Logger = ReturnType<typeof openLogger>

/** Returns a function that logs errors; an error repeated in a row is logged once. */
export function reporter(logger: Logger): (error: unknown) => void {
  const { report } = reporterOfMany((sentence) => logger.error(sentence))
  return (error) => {
    if (!isLogged(error)) report(0, sentenceOf(error))
  }
}

/** Returns true if the damage of a file was already logged. */
export function isLogged(error: unknown): boolean {
  return error instanceof ServiceError && error.isShown
}

interface ReporterOfMany {
  report(process: number, sentence: string): void
  /** Forgets a process that has ended. */
  end(process: number): void
}

/** Logs errors of several processes; an error that another process has just reported is skipped. */
export function reporterOfMany(print: (sentence: string) => void): ReporterOfMany {
  const lastSaid = new Map<number, string>()
  return {
    report(process, sentence) {
      if (![...lastSaid.values()].includes(sentence)) print(sentence)
      lastSaid.set(process, sentence)
    },
    end: (process) => void lastSaid.delete(process),
  }
}

export const stopping = 'stopping: requests under way are answered first'
