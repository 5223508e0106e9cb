import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { inBackground } from '../../../base/background.ts'
import { fail, ServiceError, sentenceOf } from '../../../base/errors.ts'
import { type Channel, openChannel, type Port } from '../../../base/processes/channel.ts'
import { spawnBounded } from '../../../base/processes/fork-program.ts'
import { unlessGone } from '../../../base/unless-gone.ts'
import { LOOK_EVERY_MS, lookAtMemory } from './memory-of-process.ts'
import { type OpenRequest, type Replies, type RequestOutcome, unwrap } from './requests.ts'

/** Hidden command of the process. */
const COMMAND = 'answer-sql'

/** Resident memory of the program without statements. */
const PROGRAM_MB = 320
/** Private memory may exceed that, since it counts reserved pages. */
const RESERVED = 1.25
/** Time for a statement to stop after an abort. */
const GRACE_MS = 300
/** Time for a process with a broken pipe to end. */
const LOST_MS = 1000
/** Growth of private memory after which a process is not reused. Statements reuse what the allocator still keeps. */
const LEFT_OVER_MB = 192
/** Time for the allocator to return what a statement has freed. */
const SETTLE_MS = 200
const KEPT_CHARACTERS = 4000

/** Reason why a process ended unexpectedly. */
export type ProcessEnding = 'memory' | 'time' | 'fault'

/** A folder for spill and results. */
export interface ScratchFolder {
  readonly folder: string
  close(): Promise<unknown>
}

/** A session over the files of one snapshot; equal keys mean equal files. */
export interface SessionRequest extends Omit<OpenRequest, 'scratchFolder'> {
  readonly key: string
}

export interface SqlProcessOptions {
  /** Memory of statements. */
  readonly memoryMb: number
  readonly scratch: ScratchFolder
  /** True to run only on cores that no other process wants. */
  readonly whenIdle: boolean
  /** Called when a process ends unexpectedly, with its output. */
  readonly onEnd: (by: ProcessEnding, words: string) => void
}

interface Handle {
  ref?(): unknown
  unref?(): unknown
}

/**
 * Runs statements of users in a process, one at a time. The process is killed above its memory limit, or if it does
 * not stop.
 */
export class SqlProcess {
  readonly #options: SqlProcessOptions
  readonly #child: ChildProcess
  readonly #channel: Channel
  readonly #ended: Promise<unknown>
  /** Set when the process has ended. */
  #error: Error | undefined
  #killedBy: ProcessEnding | 'closed' | undefined
  #said = ''
  readonly #ready: Promise<void>
  #isReady = false
  #privateMbAtFirst: number | undefined
  #openKey: string | undefined

  constructor(options: SqlProcessOptions) {
    this.#options = options
    const child = start(options)
    this.#child = child
    this.#channel = openChannel(child as unknown as Port, {})
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#said = `${this.#said}${text}`.slice(-KEPT_CHARACTERS)
    })
    this.#ended = new Promise((resolve) => {
      child.once('error', (error) => resolve(this.#end(sentenceOf(error))))
      child.once('close', (code, signal) => resolve(this.#end(signal ?? `exit code ${code}`)))
    })
    this.#ready = this.#channel.request('ready').then(
      () => this.#begin(),
      () => this.#failed(),
    )
    this.#ready.catch(() => {})
    // An idle process does not keep the program alive.
    child.channel?.unref()
    for (const handle of this.#handles()) handle.unref?.()
  }

  get isRunning(): boolean {
    return this.#error === undefined && this.#killedBy === undefined
  }

  /** Key of the open session; undefined if none is open. */
  get openKey(): string | undefined {
    return this.#openKey
  }

  /** True if the process runs and has released the memory of statements. */
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
   * Sends a request. An abort stops it, and kills the process after a grace period.
   * Errors: those of the request; the reason of the signal; `malformed_request` above the memory limit; `internal`.
   */
  async send<Q extends keyof Replies>(
    question: Q,
    value?: unknown,
    signal?: AbortSignal,
  ): Promise<Replies[Q]> {
    signal?.throwIfAborted()
    const stopWatching = this.#watch()
    let timer: NodeJS.Timeout | undefined
    const stop = () => {
      // Before it is ready the process runs nothing, and it serves the next statement.
      if (!this.#isReady) return
      this.#channel.request('stop').catch(() => {})
      timer = setTimeout(() => this.#kill('time'), GRACE_MS)
    }
    signal?.addEventListener('abort', stop, { once: true })
    try {
      await unlessGone(this.#ready, signal)
      const outcome = await this.#channel.request(question, value).catch(() => this.#failed())
      return unwrap(outcome as RequestOutcome<Replies[Q]>)
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      stopWatching()
    }
  }

  /** Opens a session, unless it is open already. Errors: as for `send`. */
  async open({ key, ...request }: SessionRequest, signal?: AbortSignal): Promise<void> {
    if (this.#openKey === key) return
    this.#openKey = undefined
    await this.send('open', { ...request, scratchFolder: this.#options.scratch.folder }, signal)
    this.#openKey = key
  }

  /** Waits for the release of memory of statements, and closes the session if it keeps too much. */
  async release(): Promise<void> {
    if (this.isRunning && !this.isFresh) await pause(SETTLE_MS)
    if (this.isFresh) return
    this.#openKey = undefined
    if (!this.#isReady || !this.isRunning) return
    await this.send('close').catch(() => {})
    await pause(SETTLE_MS)
  }

  /** Stops the current request without throwing; kills the process after a grace period. */
  async stop(): Promise<void> {
    const timer = setTimeout(() => this.#kill('time'), GRACE_MS)
    await this.send('stop').catch(() => {})
    clearTimeout(timer)
  }

  async end(): Promise<void> {
    this.#kill('closed')
    await this.#awaitEnd()
    await this.#options.scratch.close()
  }

  /** Keeps the program alive until the process has ended. */
  async #awaitEnd(): Promise<void> {
    for (const handle of this.#handles()) handle.ref?.()
    await this.#ended
  }

  /** Handles that keep the program alive. */
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

  /** The end of the process explains a lost message. */
  async #failed(): Promise<never> {
    const timer = setTimeout(() => this.#kill('fault'), LOST_MS)
    await this.#awaitEnd()
    clearTimeout(timer)
    throw this.#error
  }

  /** Watches its memory until the returned function is called. */
  #watch(): () => void {
    const { pid } = this.#child
    if (pid === undefined) return () => {}
    const mostMb = this.#options.memoryMb + PROGRAM_MB
    const look = () =>
      lookAtMemory(pid, ({ residentMb }) => {
        if (residentMb > mostMb) this.#kill('memory')
      })
    // A timer of `every` would let the program end during a statement.
    const timer = setInterval(() => inBackground('watching the memory of SQL', look), LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }

  #kill(by: ProcessEnding | 'closed'): void {
    if (!this.isRunning) return
    this.#killedBy = by
    this.#child.kill('SIGKILL')
  }

  #end(how: string): void {
    if (this.#error !== undefined) return
    const by = this.#killedBy ?? (isOfMemory(how, this.#said) ? 'memory' : 'fault')
    this.#error = errorOf(by, how, this.#options.memoryMb)
    this.#channel.close()
    if (by !== 'closed') this.#options.onEnd(by, `${how} ${this.#said}`.trim())
  }
}

function start({ memoryMb, whenIdle }: SqlProcessOptions): ChildProcess {
  const refuse = (why: string, cause?: unknown) =>
    fail('not_ready', `No process for SQL can be started: ${why}. Ask again in a moment.`, {
      ...{ cause, isShown: true },
    })
  let child: ChildProcess
  try {
    child = spawnBounded([COMMAND], Math.ceil(memoryMb * RESERVED) + PROGRAM_MB, { whenIdle })
  } catch (error) {
    return refuse(sentenceOf(error), error)
  }
  if (child.pid !== undefined) return child
  // A failed spawn emits its error later and has no pipes.
  child.once('error', () => {})
  return refuse('the system has no open file or process left for it')
}

/** The system kills with SIGKILL if memory runs out; V8 and C++ print it before they abort. */
function isOfMemory(how: string, said: string): boolean {
  return how === 'SIGKILL' || /out of memory|bad_alloc|allocation fail/i.test(said)
}

function errorOf(by: ProcessEnding | 'closed', how: string, memoryMb: number): ServiceError {
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
