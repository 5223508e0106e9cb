import { inBackground } from '../../../base/background.ts'
import { type ProcessEnding, SqlProcess, type SqlProcessOptions } from './sql-process.ts'

/** Idle time after which a process is ended. */
const IDLE_MS = 60_000

export type Endings = Readonly<Record<ProcessEnding, number>>

export interface SqlProcessesOptions {
  readonly memoryMb: number
  /** True to start a spare process after one has ended. */
  readonly keepsSpare: boolean
  readonly report?: ((sentence: string) => void) | undefined
}

/** Starts the process for statements on demand, reuses it if its memory is released, and ends it when idle. */
export class SqlProcesses {
  readonly #options: SqlProcessesOptions
  readonly #running = new Set<SqlProcess>()
  readonly #endings: Record<ProcessEnding, number> = { memory: 0, time: 0, fault: 0 }
  #spare: SqlProcess | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: SqlProcessesOptions) {
    this.#options = options
  }

  /** Unexpected ends by reason. */
  get endings(): Endings {
    return this.#endings
  }

  /** Returns a process; give it back with `putBack`. Errors: `not_ready`. */
  take(): SqlProcess {
    clearTimeout(this.#timer)
    const spare = this.#spare
    this.#spare = undefined
    if (spare?.isRunning === true) return spare
    return this.#start()
  }

  putBack(used: SqlProcess): void {
    const isNeeded = this.#options.keepsSpare && !this.#isClosed && this.#spare === undefined
    const isUsable = isNeeded && used.isFresh
    if (!isUsable) this.#drop(used)
    if (!isNeeded) return
    this.#spare = isUsable ? used : this.#startSpare()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      if (this.#spare !== undefined) this.#drop(this.#spare)
      this.#spare = undefined
    }, IDLE_MS).unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await Promise.all([...this.#running].map((process) => process.end()))
  }

  #start(): SqlProcess {
    const options: SqlProcessOptions = {
      memoryMb: this.#options.memoryMb,
      onEnd: (by, words) => {
        this.#endings[by] += 1
        if (by === 'fault') this.#options.report?.(`The process that runs statements ended: ${words}`)
      },
    }
    const started = new SqlProcess(options)
    this.#running.add(started)
    return started
  }

  /** Returns undefined if a start fails; the next statement tries again. */
  #startSpare(): SqlProcess | undefined {
    try {
      return this.#start()
    } catch {
      return undefined
    }
  }

  #drop(process: SqlProcess): void {
    this.#running.delete(process)
    inBackground('ending a process for SQL', () => process.end())
  }
}
