import { fail, sentenceOf } from '../../base/errors.ts'
import { visible } from '../../base/visible.ts'
import { openLogger } from '../../doors/hooks/log.ts'
import { StoreFault } from '../../operate/object-store/object-store.ts'
import type { Settings } from '../../settings/settings.ts'
import { lowerPriority } from '../lower-priority.ts'
import { logOf } from '../serving/reporter.ts'
import type { Print } from '../terminal-text.ts'
import { repeat, tidyUp } from './repeat.ts'

/** Receives the messages of a run. */
export interface RunLog {
  say(line: string): void
  problem(sentence: string): void
}

/**
 * Repetition of a run: its interval in milliseconds, how many hours old snapshots are kept, and whether a server
 * started it.
 */
export interface Repeated {
  readonly every?: number
  readonly keepHours: number
  readonly besideServer?: true
}

/**
 * Synchronizes once and returns the exit code, or repeatedly until a signal.
 * Errors: `source_unreadable` for a fault of the source, and those of `synchronize`.
 */
export async function runOnceOrRepeatedly(
  settings: Settings,
  synchronize: (signal: AbortSignal, log: RunLog) => Promise<number>,
  { every, keepHours, besideServer }: Repeated,
  print: Print,
): Promise<number> {
  lowerPriority()
  const stop = new AbortController()
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.once(event, () => stop.abort())
  const report = besideServer ? logged(settings) : printed(print)
  const once = () =>
    synchronize(stop.signal, report).catch((error) => {
      if (error instanceof StoreFault) fail('source_unreadable', `${sentenceOf(error)}.`, { cause: error })
      throw error
    })
  if (every === undefined) return await once()
  await repeat(once, () => tidyUp(settings, keepHours, report.say), every, stop.signal, report.problem)
  if (process.connected) process.disconnect()
  return 0
}

const printed = (print: Print): RunLog => ({
  say: (line) => print(visible(line)),
  problem: (sentence) => process.stderr.write(`${visible(sentence)}\n`),
})

/** Writes to a log in the format of the server. */
function logged(settings: Settings): RunLog {
  const logger = openLogger(logOf(settings))
  return { say: (line) => logger.info(line), problem: (sentence) => logger.error(sentence) }
}
