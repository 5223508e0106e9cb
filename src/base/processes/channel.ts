import { inBackground } from '../background.ts'
import { sentenceOf } from '../errors.ts'

/** One end of the pipe between a parent and a worker. */
export interface Port {
  send(message: object, sent: (error: Error | null) => void): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
}

/** The end of this process of the pipe to its parent. */
export const parentPort: Port = {
  send: (message, sent) => process.send?.(message, undefined, undefined, sent),
  on: (event, listener) => process.on(event, listener),
}

/** Handlers of requests, by name. A reply is any JSON value. */
export type Handlers = Record<string, (value: unknown) => unknown>

export interface Channel {
  /**
   * Sends a request and returns the reply. Errors: Error with the message of the other process, or if that process has
   * ended.
   */
  request(name: string, value?: unknown): Promise<unknown>
  /** Rejects all pending requests, because the other process has ended. */
  close(): void
}

/** A request with a name and a number, or the reply to the request of a number. */
interface Message {
  readonly name?: unknown
  readonly number?: unknown
  readonly replyTo?: unknown
  readonly value?: unknown
  readonly problem?: unknown
}

interface Pending {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

const isMessage = (message: unknown): message is Message => typeof message === 'object' && message !== null

/** Sends and handles requests over a port. Ignores other messages on it. */
export function openChannel(port: Port, handlers: Handlers): Channel {
  const pending = new Map<number, Pending>()
  let last = 0

  async function reply(name: string, number: number, value: unknown): Promise<void> {
    let message: Message
    try {
      message = { replyTo: number, value: await handlers[name]?.(value) }
    } catch (error) {
      message = { replyTo: number, problem: sentenceOf(error) }
    }
    // If the other process has ended, nobody waits for the reply.
    port.send(message, () => {})
  }

  port.on('message', (message) => {
    if (!isMessage(message)) return
    const { name, number, replyTo, value, problem } = message
    if (typeof name === 'string' && typeof number === 'number')
      inBackground('answering another process', () => reply(name, number, value))
    else if (typeof replyTo === 'number') {
      const request = pending.get(replyTo)
      pending.delete(replyTo)
      if (problem === undefined) request?.resolve(value)
      else request?.reject(new Error(String(problem)))
    }
  })

  return {
    request(name, value) {
      last += 1
      const number = last
      return new Promise((resolve, reject) => {
        pending.set(number, { resolve, reject })
        port.send({ name, number, value }, (error) => {
          if (!error) return
          pending.delete(number)
          reject(error)
        })
      })
    },
    close() {
      for (const { reject } of pending.values()) reject(new Error('the other process has ended'))
      pending.clear()
    },
  }
}
