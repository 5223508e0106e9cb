import type { Worker } from 'node:cluster'
import { inBackground } from '../background.ts'
import { type ErrorCode, errorTable, ServiceError, sentenceOf } from '../errors.ts'
import { type Channel, type Handlers, openChannel } from './channel.ts'
import { forkWorker } from './fork-program.ts'

/** A worker, seen from its parent. */
export interface RunningWorker {
  readonly number: number
  readonly pid: number
  readonly channel: Channel
  /** Lines that the worker prints when it listens. Errors: ServiceError with the reason if it cannot. */
  readonly ready: Promise<readonly string[]>
  /** Exit of the worker, such as `exit code 1` or `SIGKILL`. */
  readonly ended: Promise<WorkerExit>
  kill(): void
}

export interface WorkerExit {
  readonly code: number
  readonly words: string
}

/**
 * Starts a worker. `handlers` answer its requests; it reports when it listens or why it cannot. It inherits the
 * descriptors `inherited`.
 */
export function startWorker(
  handlers: (worker: number) => Handlers,
  inherited: readonly number[] = [],
): RunningWorker {
  const worker: Worker = forkWorker(inherited)
  const number = worker.id
  const ended = new Promise<WorkerExit>((resolve) => {
    worker.once('exit', (code, signal) => resolve({ code: code ?? 1, words: signal ?? `exit code ${code}` }))
    // Without a process id it was never started.
    worker.on('error', (error) => {
      if (worker.process.pid === undefined) resolve({ code: 1, words: sentenceOf(error) })
    })
  })
  let settle: { resolve(lines: readonly string[]): void; reject(error: Error): void }
  const ready = new Promise<readonly string[]>((resolve, reject) => {
    settle = { resolve, reject }
  })
  ready.catch(() => {})
  const channel = openChannel(worker.process, {
    ...handlers(number),
    ready: (lines) => settle.resolve(Array.isArray(lines) ? lines.map(String) : []),
    refused: (refusal) => settle.reject(errorOf(refusal)),
  })
  inBackground('waiting for the end of a worker', async () => {
    const { words } = await ended
    channel.close()
    settle.reject(new ServiceError('internal', `A worker ended before it listened (${words}).`))
  })
  return {
    number,
    pid: worker.process.pid ?? 0,
    channel,
    ready,
    ended,
    kill: () => worker.process.kill('SIGKILL'),
  }
}

/** Returns the error of a worker that cannot listen, from its code and its sentence. */
function errorOf(refusal: unknown): ServiceError {
  const [code, sentence] = Array.isArray(refusal) ? refusal.map(String) : []
  return new ServiceError(isErrorCode(code) ? code : 'internal', sentence ?? 'A worker did not start.')
}

const isErrorCode = (code: string | undefined): code is ErrorCode =>
  code !== undefined && Object.hasOwn(errorTable, code)
