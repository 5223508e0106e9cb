import { inBackground } from '../../base/background.ts'
import { sentenceOf } from '../../base/errors.ts'

/** One end of the pipe between a parent and a worker. */
export interface Port {
  send(message: object, sent: (error: Error | null) => void): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
}

/** Handlers by request name. A reply is any JSON value. */
export type Answers = Record<string, (value: unknown) => unknown>

export interface Channel {
  /**
   * Sends a request and returns the reply. Errors: Error with the message of the other process, or if that process has
   * ended.
   */
  ask(question: string, value?: unknown): Promise<unknown>
  /** Rejects all pending requests, because the other process has ended. */
  close(): void
}

interface Message {
  readonly question?: string
  readonly answerTo?: number
  readonly number?: number
  readonly value?: unknown
  readonly problem?: string
}

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** Sends and handles requests over a port. Ignores other messages on it. */
export function openChannel(port: Port, answers: Answers): Channel {
  const waiting = new Map<number, Waiting>()
  let last = 0

  function send(message: Message, failed: (error: Error) => void): void {
    port.send(message, (error) => error && failed(error))
  }

  async function answer({ question = '', number, value }: Message): Promise<void> {
    let reply: Message
    try {
      reply = { answerTo: number as number, value: await answers[question]?.(value) }
    } catch (error) {
      reply = { answerTo: number as number, problem: sentenceOf(error) }
    }
    // If the other process has ended, nobody waits for the reply.
    send(reply, () => {})
  }

  port.on('message', (received) => {
    const message = received as Message
    if (typeof message?.question === 'string')
      inBackground('answering another process', () => answer(message))
    else if (typeof message?.answerTo === 'number') {
      const request = waiting.get(message.answerTo)
      waiting.delete(message.answerTo)
      if (message.problem === undefined) request?.resolve(message.value)
      else request?.reject(new Error(message.problem))
    }
  })

  return {
    ask(question, value) {
      last += 1
      const number = last
      return new Promise((resolve, reject) => {
        waiting.set(number, { resolve, reject })
        send({ question, number, value }, (error) => {
          waiting.delete(number)
          reject(error)
        })
      })
    },
    close() {
      for (const { reject } of waiting.values()) reject(new Error('the other process has ended'))
      waiting.clear()
    },
  }
}
