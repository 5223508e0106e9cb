import cluster from 'node:cluster'
import { noteFailure } from '../background.ts'
import { ServiceError, sentenceOf } from '../errors.ts'
import { type Channel, type Handlers, openChannel, parentPort } from './channel.ts'

/** The link of a worker to its parent. */
export interface ParentLink extends Pick<Channel, 'request'> {
  /** The number of this worker. */
  readonly worker: number
  /** Sends a request without waiting for the reply. */
  notify(name: string, value: unknown): void
  /** Adds handlers for requests of the parent. */
  handle(handlers: Handlers): void
}

/** Returns undefined in a process that is no worker. */
export function linkToParent(): ParentLink | undefined {
  if (cluster.worker === undefined) return undefined
  const handlers: Handlers = {}
  noteErrorsOf(process)
  const { request } = openChannel(parentPort, handlers)
  return {
    ...{ worker: cluster.worker.id, request },
    notify: (name, value) => void request(name, value).catch(() => {}),
    handle: (more) => void Object.assign(handlers, more),
  }
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
  await link.request('refused', [code, sentenceOf(error)]).catch(() => {})
  process.exit(1)
}
