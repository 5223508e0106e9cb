import { ServiceError, sentenceOf } from '../../base/errors.ts'
import { visibleLines } from '../../base/visible.ts'
import type { Log, openLogger } from '../../doors/hooks/log.ts'
import type { Settings } from '../../settings/settings.ts'

/** The log of a server: JSON lines on standard error. */
export function logOf(settings: Settings): Log {
  return {
    access: settings.access_log,
    level: settings.log_level,
    slowRequestMs: settings.slow_request_ms,
    write: (line) => process.stderr.write(visibleLines(line)),
  }
}

/** The log lines of `serve` outside of requests. */
export type Logger = ReturnType<typeof openLogger>

/** Files are checked again and again; an error that repeats is printed once. */
export function reporter(logger: Logger): (error: unknown) => void {
  const { report } = reporterOfMany((sentence) => logger.error(sentence))
  return (error) => {
    if (!isLogged(error)) report(0, sentenceOf(error))
  }
}

/** Whether whoever found the damage of a file has logged it. */
export function isLogged(error: unknown): boolean {
  return error instanceof ServiceError && error.isShown
}

interface ReporterOfMany {
  report(process: number, sentence: string): void
  /** Nothing is kept of a process that has ended. */
  end(process: number): void
}

/** The same where several processes meet the same error. */
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
