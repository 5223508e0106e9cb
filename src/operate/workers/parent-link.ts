import cluster from 'node:cluster'
import { noteFailure } from '../../base/background.ts'
import { ServiceError, sentenceOf } from '../../base/errors.ts'
import { type Answers, openChannel, type Port } from './channel.ts'

/** The link of a worker to its parent. */
export interface ParentLink {
  /** The number of this worker. */
  readonly worker: number
  /** Errors: Error with the sentence of the parent. */
  ask(question: string, value?: unknown): Promise<unknown>
  /** Adds handlers for requests of the parent. */
  answer(answers: Answers): void
}

/** Returns undefined in a process that is no worker. */
export function linkToParent(): ParentLink | undefined {
  if (cluster.worker === undefined) return undefined
  const answers: Answers = {}
  noteErrorsOf(process)
  const channel = openChannel(process as unknown as Port, answers)
  return { worker: cluster.worker.id, ask: channel.ask, answer: (more) => void Object.assign(answers, more) }
}

/** Codes of errors on a channel whose other process has ended. */
const closing = new Set(['EPIPE', 'ECONNRESET', 'ERR_IPC_CHANNEL_CLOSED', 'ERR_IPC_DISCONNECTED'])

/**
 * Logs and counts the errors of a channel. Ignores those of a parent that ends, because the disconnect ends this
 * process.
 */
export function noteErrorsOf(channel: NodeJS.EventEmitter): void {
  channel.on('error', (error: NodeJS.ErrnoException) => {
    if (!closing.has(error.code ?? '')) noteFailure('talking to the parent process', error)
  })
}

/** Reports to the parent why this worker cannot listen, then exits. */
export async function reportRefusal(link: ParentLink, error: unknown): Promise<never> {
  const code = error instanceof ServiceError ? error.code : 'internal'
  await link.ask('refused', { code, sentence: sentenceOf(error) }).catch(() => {})
  process.exit(1)
}
