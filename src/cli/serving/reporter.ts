import { ServiceError, sentenceOf } from '../../base/errors.ts'
import { visibleLines } from '../../base/visible.ts'
import { TurnBatch } from '../../doors/concurrency/turn-batch.ts'
import type { Log, openLogger } from '../../doors/hooks/log.ts'
import type { Settings } from '../../services/settings/settings.ts'

/** A line of the access log. */
const ACCESS_LINE = /^\{"level":"info","time":"[^"]*","reqId"/

/** The log of a server: JSON lines on standard error. Access lines of one turn of the event loop are written together. */
export function logOf(settings: Settings): Log {
  const print = (text: string) => process.stderr.write(visibleLines(text))
  const accessLines = new TurnBatch<string>((lines) => {
    print(lines.join(''))
  })
  return {
    access: settings.access_log,
    level: settings.log_level,
    slowRequestMs: settings.slow_request_ms,
    write(line) {
      if (ACCESS_LINE.test(line)) return accessLines.add(line)
      accessLines.handleAll()
      print(line)
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
