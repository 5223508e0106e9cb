import { errorTable, fail, sentenceOf } from '../../../base/errors.ts'
import { visible } from '../../../base/visible.ts'
import { openLogger } from '../../../doors/hooks/log.ts'
import { StoreFault } from '../../../operate/object-store/object-store.ts'
import type { Settings } from '../../../services/settings/settings.ts'
import { type Building, openBuilding } from '../../building/build-with-steps.ts'
import { lowerPriority } from '../../lower-priority.ts'
import { openStepLine, seldom } from '../../progress.ts'
import { logOf } from '../../serving/reporter.ts'
import { stopSignal } from '../../stop-signal.ts'
import { jsonText, print } from '../../terminal-text.ts'
import { repeat, tidyUp } from './repeat.ts'

/** Flags of every sync. */
export interface SyncFlags {
  /** Interval of a repeated run, in milliseconds. */
  readonly every?: number
  /** How long old snapshots are kept by a repeated run. */
  readonly keepHours: number
  /** True if a server started the command. */
  readonly besideServer?: true
  readonly json?: true
}

/** Tools of a run. */
export interface SyncTools {
  readonly signal: AbortSignal
  readonly building: Building
  /** Shows the progress, at most one sentence in ten seconds. */
  readonly note: (sentence: string) => void
}

export interface SyncResult {
  /** Printed with `--json`. */
  readonly summary: object
  readonly lines: (seconds: number) => readonly string[]
  /** True if the lake has new data, so that indexes must be built. */
  readonly isChanged: boolean
  /** True if the lake has everything that the source has. */
  readonly isComplete: boolean
}

/**
 * Synchronizes once, prints the result and builds indexes; or repeats this until a signal. Returns the exit code.
 * Errors: `source_unreadable` for a fault of the source, and those of `synchronize`.
 */
export async function runSync(
  settings: Settings,
  flags: SyncFlags,
  synchronize: (tools: SyncTools) => Promise<SyncResult>,
): Promise<number> {
  lowerPriority()
  const { every, keepHours, besideServer } = flags
  const signal = stopSignal('disconnect')
  const log = besideServer ? serverLog(settings) : terminalLog
  const once = async () => {
    const started = performance.now()
    const steps = openStepLine(process.stderr)
    const building = openBuilding(settings)
    try {
      const tools = { signal, building, note: seldom(steps.begin) }
      const { summary, lines, isChanged, isComplete } = await synchronize(tools).finally(steps.stop)
      const seconds = (performance.now() - started) / 1000
      for (const line of flags.json ? jsonText(summary).split('\n') : lines(seconds)) log.say(line)
      // A server builds its indexes itself.
      if (isChanged && !besideServer) await building.finish()
      return isComplete ? 0 : errorTable.source_unreadable.exit
    } catch (error) {
      if (error instanceof StoreFault) fail('source_unreadable', `${sentenceOf(error)}.`, { cause: error })
      throw error
    } finally {
      building.close()
    }
  }
  if (every === undefined) return await once()
  await repeat(once, () => tidyUp(settings, keepHours, log.say), every, signal, log.problem)
  if (process.connected) process.disconnect()
  return 0
}

/** Receives the messages of a run. */
interface RunLog {
  say(line: string): void
  problem(sentence: string): void
}

const terminalLog: RunLog = {
  say: (line) => print(visible(line)),
  problem: (sentence) => process.stderr.write(`${visible(sentence)}\n`),
}

/** Writes to a log in the format of the server. */
function serverLog(settings: Settings): RunLog {
  const logger = openLogger(logOf(settings))
  return { say: (line) => logger.info(line), problem: (sentence) => logger.error(sentence) }
}
