import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/**
 * Asks one address as fast as answers come, over so many connections that stay open, one request at a time on each. A process
 * of its own, so that it can be kept to another core; it knows just enough of HTTP to be no bottleneck.
 */

/** What is asked, and what has to come: a status, and the body if it is given. */
export interface Asked {
  readonly path: string
  readonly header?: string
  /** The body of a POST request; without it the request is a GET. */
  readonly json?: string
  readonly status: number
  readonly body?: string
}

/** Questions are handed over once and asked often. */
export type Order =
  | { readonly prepare: string; readonly address: string; readonly asked: readonly Asked[] }
  | { readonly prepare: string; readonly address: string; readonly like: string; readonly prefix: string }
  | { readonly forget: true }
  | { readonly run: string; readonly connections: number; readonly ms: number; readonly first: number }

/** Microseconds of every answer, and the time from the first question to the last answer. */
export interface Turn {
  readonly micros: Float64Array
  readonly seconds: number
}

export type Report = { readonly turn: Turn } | { readonly error: string } | { readonly isDone: true }

interface Question {
  readonly asked: Asked
  readonly bytes: Buffer
  readonly body: Buffer | undefined
}

const prepared = new Map<string, { readonly address: URL; readonly questions: readonly Question[] }>()
const END_OF_HEAD = Buffer.from('\r\n\r\n')
const READ_BYTES = 1 << 16

process.on('message', async (order: Order) => {
  try {
    if ('prepare' in order) {
      const address = new URL(order.address)
      const questions =
        'like' in order ? questionsLike(order.like, address, order.prefix) : questionsOf(order.asked, address)
      prepared.set(order.prepare, { address, questions })
      send({ isDone: true })
    } else if ('forget' in order) {
      prepared.clear()
      send({ isDone: true })
    } else send({ turn: await takeTurn(order) })
  } catch (error) {
    send({ error: String(error) })
  }
})

function send(report: Report): void {
  process.send?.(report)
}

function questionsOf(asked: readonly Asked[], address: URL): readonly Question[] {
  return asked.map(({ body, ...one }) => ({
    asked: one,
    bytes: requestOf(one, address),
    body: body === undefined ? undefined : Buffer.from(body),
  }))
}

/** The bodies are held once, however many servers have to answer with them. */
function questionsLike(name: string, address: URL, prefix: string): readonly Question[] {
  const { questions } = prepared.get(name) ?? { questions: [] }
  return questions.map((one) => ({ ...one, bytes: requestOf(one.asked, address, prefix) }))
}

function requestOf({ path, header, json }: Asked, address: URL, prefix = ''): Buffer {
  const method = json === undefined ? 'GET' : 'POST'
  const head = [`${method} ${prefix}${path} HTTP/1.1`, `Host: ${address.host}`]
  if (header !== undefined) head.push(header)
  if (json !== undefined)
    head.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(json)}`)
  return Buffer.concat([Buffer.from(head.join('\r\n')), END_OF_HEAD, Buffer.from(json ?? '')])
}

async function takeTurn(order: Extract<Order, { run: string }>): Promise<Turn> {
  const { address, questions } = prepared.get(order.run) ?? { address: undefined, questions: [] }
  if (address === undefined) throw new Error(`${order.run} is not prepared`)
  const micros: number[] = []
  let index = order.first
  const callers = Array.from({ length: order.connections }, () => new Caller(address))
  await Promise.all(callers.map((caller) => caller.opened()))
  const began = performance.now()
  const end = began + order.ms
  let last = began
  const next = () => {
    index += 1
    return questions[index % questions.length] as Question
  }
  await Promise.all(
    callers.map((caller) =>
      caller.ask(next, (asked, answered) => {
        micros.push((answered - asked) * 1000)
        last = answered
        return answered < end
      }),
    ),
  )
  for (const caller of callers) caller.close()
  return { micros: Float64Array.from(micros), seconds: (last - began) / 1000 }
}

/**
 * A connection. Its replies arrive in one buffer: with one for each, this process would collect memory every few dozen pages, and the
 * ten milliseconds that this takes would count as those of the server.
 */
class Caller {
  readonly #socket: Socket
  #buffer = Buffer.allocUnsafeSlow(READ_BYTES)
  #length = 0
  #onBytes = () => {}

  constructor({ hostname, port }: URL) {
    this.#socket = connect({
      ...{ host: hostname, port: Number(port), noDelay: true },
      onread: {
        buffer: () => this.#free(),
        callback: (length) => {
          this.#length += length
          this.#onBytes()
          return true
        },
      },
    })
  }

  opened(): Promise<unknown> {
    return once(this.#socket, 'connect')
  }

  close(): void {
    this.#socket.destroy()
  }

  /** Asks again as soon as an answer is whole and right, as long as `onAnswer` wants more. */
  ask(next: () => Question, onAnswer: (asked: number, answered: number) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      let question = next()
      let asked = performance.now()
      let whole = 0
      this.#onBytes = () => {
        const reply = this.#buffer.subarray(0, this.#length)
        if (whole === 0) whole = lengthOf(reply)
        if (whole === 0 || reply.length < whole) return
        const fault = faultOf(reply, question)
        if (fault !== undefined) return reject(new Error(fault))
        const now = performance.now()
        this.#length = 0
        whole = 0
        if (!onAnswer(asked, now)) return resolve()
        question = next()
        asked = performance.now()
        this.#socket.write(question.bytes)
      }
      this.#socket.once('error', reject)
      this.#socket.once('close', () => reject(new Error(`${question.asked.path}: the connection was closed`)))
      this.#socket.write(question.bytes)
    })
  }

  /** Where the next bytes go. */
  #free(): Buffer {
    if (this.#length === this.#buffer.length) this.#buffer = Buffer.concat([this.#buffer], 2 * this.#length)
    return this.#buffer.subarray(this.#length)
  }
}

/** Of the whole reply; 0 while its head is not there. Errors: it does not say how long it is. */
function lengthOf(reply: Buffer): number {
  const end = reply.indexOf(END_OF_HEAD)
  if (end < 0) return 0
  const head = reply.toString('latin1', 0, end)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined && !head.startsWith('HTTP/1.1 304'))
    throw new Error(`no content-length in ${head}`)
  return end + END_OF_HEAD.length + Number(length ?? 0)
}

function faultOf(reply: Buffer, { asked: { status, path }, body }: Question): string | undefined {
  const answered = reply.toString('latin1', 9, 12)
  if (answered !== String(status)) return `${path}: ${reply.toString('utf8', 0, 600)}`
  if (body === undefined) return undefined
  const start = reply.indexOf(END_OF_HEAD) + END_OF_HEAD.length
  if (reply.compare(body, 0, body.length, start, reply.length) === 0) return undefined
  return `${path}: ${reply.subarray(start)} instead of ${body}`
}
