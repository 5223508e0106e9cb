import type { ChildProcess } from 'node:child_process'
import { inBackground } from '../../../base/background.ts'
import { fail, ServiceError, sentenceOf } from '../../../base/errors.ts'
import { unlessGone } from '../../../base/unless-gone.ts'
import { type Channel, openChannel, type Port } from '../../../operate/workers/channel.ts'
import { spawnBounded } from '../../../operate/workers/own-program.ts'
import { LOOK_EVERY_MS, lookAtMemory } from './memory-of-process.ts'
import { type Outcome, unwrap } from './requests.ts'

/** The hidden command that it runs. */
const COMMAND = 'answer-sql'

/** Resident memory that the program needs besides its statements: itself, the engine, and rows on their way. */
const PROGRAM_MB = 320
/** Private memory may be more than that for a while, since it also counts what is reserved and not used. */
const RESERVED = 1.25
/** Time for a statement to end by itself after it was told to stop. */
const GRACE_MS = 300
/** Time for a process to end whose pipe is broken. */
const LOST_MS = 1000
/** More private memory than it began with, from which on it is not used for another statement. */
const LEFT_OVER_MB = 96
const KEPT_CHARACTERS = 4000

/** Why a process ended that was not told to. */
export type Ending = 'memory' | 'time' | 'fault'

export interface SqlProcessOptions {
  /** Memory of statements. */
  readonly memoryMb: number
  /** Is told of each process that ended although it was not told to, with what it said. */
  readonly onEnd: (by: Ending, words: string) => void
}

interface Handle {
  ref?(): unknown
  unref?(): unknown
}

/** A process that runs statements of others, one at a time. It is ended when it takes more memory than it has, or does not stop. */
export class SqlProcess {
  readonly #options: SqlProcessOptions
  readonly #child: ChildProcess
  readonly #channel: Channel
  readonly #ended: Promise<unknown>
  /** Why it ended; undefined while it runs. */
  #error: Error | undefined
  #killedBy: Ending | 'nobody needs it' | undefined
  #said = ''
  readonly #ready: Promise<void>
  #isReady = false
  #privateMbAtFirst: number | undefined

  constructor(options: SqlProcessOptions) {
    this.#options = options
    const child = start(options.memoryMb)
    this.#child = child
    this.#channel = openChannel(child as unknown as Port, {})
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#said = `${this.#said}${text}`.slice(-KEPT_CHARACTERS)
    })
    this.#ended = new Promise((resolve) => {
      child.once('error', (error) => resolve(this.#end(sentenceOf(error))))
      child.once('close', (code, signal) => resolve(this.#end(signal ?? `exit code ${code}`)))
    })
    this.#ready = this.#channel.ask('ready').then(
      () => this.#begin(),
      () => this.#failed(),
    )
    this.#ready.catch(() => {})
    // A process that nobody asks anything keeps no program running.
    child.channel?.unref()
    for (const handle of this.#handles()) handle.unref?.()
  }

  /** Whether it can be asked. */
  get isRunning(): boolean {
    return this.#error === undefined && this.#killedBy === undefined
  }

  /** Whether it runs and has given back what statements took. */
  get isFresh(): boolean {
    if (!this.isRunning || this.#child.pid === undefined) return false
    let isFresh = true
    const first = this.#privateMbAtFirst
    if (first !== undefined)
      lookAtMemory(this.#child.pid, ({ privateMb }) => {
        isFresh = privateMb - first < LEFT_OVER_MB
      })
    return isFresh
  }

  /**
   * Asks it to do something. Aborting ends what it does, and the process if that does not end soon.
   * Errors: those of the request; the reason of the signal; `malformed_request` when it took too much memory; `internal`.
   */
  async send(question: string, value?: unknown, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted()
    const stopWatching = this.#watch()
    let timer: NodeJS.Timeout | undefined
    const stop = () => {
      // It runs nothing before it is ready, and serves the next statement.
      if (!this.#isReady) return
      this.#channel.ask('stop').catch(() => {})
      timer = setTimeout(() => this.#kill('time'), GRACE_MS)
    }
    signal?.addEventListener('abort', stop, { once: true })
    try {
      await unlessGone(this.#ready, signal)
      return unwrap((await this.#channel.ask(question, value).catch(() => this.#failed())) as Outcome)
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      stopWatching()
    }
  }

  /** Closes the session of it, if there is one. */
  async close(): Promise<void> {
    if (this.#isReady && this.isRunning) await this.send('close').catch(() => {})
  }

  /** Ends what it does and throws nothing; after a while it is ended itself. */
  async stop(): Promise<void> {
    const timer = setTimeout(() => this.#kill('time'), GRACE_MS)
    await this.send('stop').catch(() => {})
    clearTimeout(timer)
  }

  /** Ends it at once. */
  async end(): Promise<void> {
    this.#kill('nobody needs it')
    await this.#awaitEnd()
  }

  /** The program keeps running until the process has ended. */
  async #awaitEnd(): Promise<void> {
    for (const handle of this.#handles()) handle.ref?.()
    await this.#ended
  }

  /** Handles that would keep the program running. */
  #handles(): readonly Handle[] {
    const { stderr } = this.#child
    return stderr === null ? [this.#child] : [this.#child, stderr as Handle]
  }

  #begin(): void {
    this.#isReady = true
    if (this.#child.pid !== undefined)
      lookAtMemory(this.#child.pid, ({ privateMb }) => {
        this.#privateMbAtFirst = privateMb
      })
  }

  /** A message is lost where the process ends; then the end says why. */
  async #failed(): Promise<never> {
    const timer = setTimeout(() => this.#kill('fault'), LOST_MS)
    await this.#awaitEnd()
    clearTimeout(timer)
    throw this.#error
  }

  /** Looks at its memory until the function returned is called. */
  #watch(): () => void {
    const { pid } = this.#child
    if (pid === undefined) return () => {}
    const mostMb = this.#options.memoryMb + PROGRAM_MB
    const look = () =>
      lookAtMemory(pid, ({ residentMb }) => {
        if (residentMb > mostMb) this.#kill('memory')
      })
    // A timer of `every` would let the program end while a statement runs.
    const timer = setInterval(() => inBackground('watching the memory of SQL', look), LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }

  #kill(by: Ending | 'nobody needs it'): void {
    if (!this.isRunning) return
    this.#killedBy = by
    this.#child.kill('SIGKILL')
  }

  #end(how: string): void {
    if (this.#error !== undefined) return
    const by = this.#killedBy ?? (isOfMemory(how, this.#said) ? 'memory' : 'fault')
    this.#error = errorOf(by, how, this.#options.memoryMb)
    this.#channel.close()
    if (by !== 'nobody needs it') this.#options.onEnd(by, `${how} ${this.#said}`.trim())
  }
}

function start(memoryMb: number): ChildProcess {
  const refuse = (why: string, cause?: unknown) =>
    fail('not_ready', `No process for SQL can be started: ${why}. Ask again in a moment.`, {
      ...{ cause, isShown: true },
    })
  let child: ChildProcess
  try {
    child = spawnBounded([COMMAND], Math.ceil(memoryMb * RESERVED) + PROGRAM_MB)
  } catch (error) {
    return refuse(sentenceOf(error), error)
  }
  if (child.pid !== undefined) return child
  // It says later why, and has neither pipes nor methods for messages.
  child.once('error', () => {})
  return refuse('the system has no open file or process left for it')
}

/** The system ends processes by SIGKILL when there is no memory left; V8 and C++ say it before they end themselves. */
function isOfMemory(how: string, said: string): boolean {
  return how === 'SIGKILL' || /out of memory|bad_alloc|allocation fail/i.test(said)
}

function errorOf(by: Ending | 'nobody needs it', how: string, memoryMb: number): ServiceError {
  if (by === 'memory')
    return new ServiceError(
      'malformed_request',
      `The statement takes too much memory. Statements have ${memoryMb} MB of memory; --engine-memory-mb gives them more.`,
    )
  if (by === 'time')
    return new ServiceError('deadline_exceeded', 'The statement did not stop, and was ended.')
  return new ServiceError(
    'internal',
    `The process that runs statements ended (${how}); the next statement runs in another one.`,
    { isShown: true },
  )
}
