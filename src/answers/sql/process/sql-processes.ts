import { inBackground } from '../../../base/background.ts'
import { Slots } from '../../../base/slots.ts'
import {
  type ProcessEnding,
  type ScratchFolder,
  type SessionRequest,
  SqlProcess,
  type SqlProcessOptions,
} from './sql-process.ts'

/** Idle time after which processes are ended. */
const IDLE_MS = 60_000

export type Endings = Readonly<Record<ProcessEnding, number>>

export interface SqlProcessesOptions {
  /** Memory of the statements of one process. */
  readonly memoryMb: number
  /** Statements that run at the same time; others wait. */
  readonly mostAtOnce: number
  /** True to keep processes for later statements. */
  readonly keepsSpare: boolean
  readonly whenIdle: boolean
  readonly openScratch: () => Promise<ScratchFolder>
  readonly report?: ((sentence: string) => void) | undefined
}

/** Starts processes for statements on demand, reuses them if their memory is released, and ends idle ones. */
export class SqlProcesses {
  readonly #options: SqlProcessesOptions
  readonly #slots: Slots
  readonly #running = new Set<SqlProcess>()
  readonly #endings: Record<ProcessEnding, number> = { memory: 0, time: 0, fault: 0 }
  #idle: SqlProcess[] = []
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: SqlProcessesOptions) {
    this.#options = options
    this.#slots = new Slots(options.mostAtOnce)
  }

  /** Unexpected ends by reason. */
  get endings(): Endings {
    return this.#endings
  }

  /** Waits until a statement of a client may run. Returns the function that ends its turn. Errors: the reason of the signal. */
  async turn(signal?: AbortSignal, client?: string): Promise<() => void> {
    return await this.#slots.take(signal, client)
  }

  /** Returns a process, one with this session if there is any; give it back with `putBack`. Errors: `not_ready`. */
  async take(key: SessionRequest['key']): Promise<SqlProcess> {
    clearTimeout(this.#timer)
    const idle = this.#idle.filter(({ isRunning }) => isRunning)
    const process = idle.find(({ openKey }) => openKey === key) ?? idle[0]
    this.#idle = idle.filter((one) => one !== process)
    return process ?? (await this.#start())
  }

  /** Takes a process back after a statement. Resolves when it has released memory that it need not keep. */
  async putBack(used: SqlProcess): Promise<void> {
    const isKept = this.#options.keepsSpare && !this.#isClosed
    if (isKept) await used.release()
    const isUsable = isKept && !this.#isClosed && used.isFresh
    if (isUsable) this.#idle.push(used)
    else this.#drop(used)
    if (this.#options.keepsSpare && this.#idle.length === 0 && !this.#isClosed) await this.#startSpare()
    this.#endIdleLater()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await Promise.all([...this.#running].map((process) => process.end()))
  }

  async #start(): Promise<SqlProcess> {
    const scratch = await this.#options.openScratch()
    const options: SqlProcessOptions = {
      memoryMb: this.#options.memoryMb,
      whenIdle: this.#options.whenIdle,
      scratch,
      onEnd: (by, words) => {
        this.#endings[by] += 1
        if (by === 'fault') this.#options.report?.(`The process that runs statements ended: ${words}`)
      },
    }
    try {
      const started = new SqlProcess(options)
      this.#running.add(started)
      return started
    } catch (error) {
      await scratch.close()
      throw error
    }
  }

  /** Starts a process for the next statement. If the start fails, that statement tries again. */
  async #startSpare(): Promise<void> {
    const spare = await this.#start().catch(() => undefined)
    if (spare === undefined) return
    if (this.#isClosed) this.#drop(spare)
    else this.#idle.push(spare)
  }

  #endIdleLater(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      for (const process of this.#idle.splice(0)) this.#drop(process)
    }, IDLE_MS).unref()
  }

  #drop(process: SqlProcess): void {
    this.#running.delete(process)
    inBackground('ending a process for SQL', () => process.end())
  }
}
