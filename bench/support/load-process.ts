import { connect, type Socket } from 'node:net'

/**
 * Asks one address as fast as answers come, over so many connections that stay open, one request at a time on each. A process
 * of its own, so that it can be kept to another core; it knows just enough of HTTP to be no bottleneck.
 */

/** What is asked, and what has to come: a status, and the body if it is given. */
export interface Asked {
  readonly path: string
  readonly header?: string
  readonly status: number
  readonly body?: string
}

/** Questions are handed over once and asked often. */
export type Order =
  | { readonly prepare: string; readonly address: string; readonly asked: readonly Asked[] }
  | { readonly prepare: string; readonly address: string; readonly like: string; readonly prefix: string }
  | { readonly run: string; readonly connections: number; readonly ms: number; readonly first: number }

/** Microseconds of every answer, and the time from the first question to the last answer. */
export interface Turn {
  readonly micros: Float64Array
  readonly seconds: number
}

export type Report = { readonly turn: Turn } | { readonly error: string } | { readonly prepared: string }

interface Question {
  readonly bytes: Buffer
  readonly header: string | undefined
  readonly status: number
  readonly body: Buffer | undefined
  readonly path: string
}

const prepared = new Map<string, { readonly address: URL; readonly questions: readonly Question[] }>()
const END_OF_HEAD = '\r\n\r\n'

process.on('message', async (order: Order) => {
  try {
    if ('prepare' in order) {
      const address = new URL(order.address)
      const questions =
        'like' in order ? questionsLike(order.like, address, order.prefix) : questionsOf(order.asked, address)
      prepared.set(order.prepare, { address, questions })
      send({ prepared: order.prepare })
    } else send({ turn: await takeTurn(order) })
  } catch (error) {
    send({ error: String(error) })
  }
})

function send(report: Report): void {
  process.send?.(report)
}

function questionsOf(asked: readonly Asked[], address: URL): readonly Question[] {
  return asked.map(({ path, header, status, body }) => ({
    ...{ path, header, status, bytes: requestOf(path, header, address) },
    body: body === undefined ? undefined : Buffer.from(body),
  }))
}

/** The bodies are held once, however many servers have to answer with them. */
function questionsLike(name: string, address: URL, prefix: string): readonly Question[] {
  const { questions } = prepared.get(name) ?? { questions: [] }
  return questions.map((one) => ({ ...one, bytes: requestOf(prefix + one.path, one.header, address) }))
}

function requestOf(path: string, header: string | undefined, address: URL): Buffer {
  const head = [`GET ${path} HTTP/1.1`, `Host: ${address.host}`, ...(header === undefined ? [] : [header])]
  return Buffer.from(head.join('\r\n') + END_OF_HEAD)
}

async function takeTurn(order: Extract<Order, { run: string }>): Promise<Turn> {
  const { address, questions } = prepared.get(order.run) ?? { address: undefined, questions: [] }
  if (address === undefined) throw new Error(`${order.run} is not prepared`)
  const micros: number[] = []
  let index = order.first
  const sockets = await Promise.all(Array.from({ length: order.connections }, () => openSocket(address)))
  const began = performance.now()
  const end = began + order.ms
  let last = began
  const next = () => {
    index += 1
    return questions[index % questions.length] as Question
  }
  await Promise.all(
    sockets.map((socket) =>
      askInTurn(socket, next, (asked, answered) => {
        micros.push((answered - asked) * 1000)
        last = answered
        return answered < end
      }),
    ),
  )
  for (const socket of sockets) socket.destroy()
  return { micros: Float64Array.from(micros), seconds: (last - began) / 1000 }
}

function openSocket({ hostname, port }: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    socket.once('error', reject)
    socket.once('connect', () => resolve(socket))
  })
}

/** Asks again as soon as an answer is whole and right, as long as `onAnswer` wants more. */
function askInTurn(
  socket: Socket,
  next: () => Question,
  onAnswer: (asked: number, answered: number) => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let question = next()
    let asked = performance.now()
    let chunks: Buffer[] = []
    let missing = -1
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      missing = missing < 0 ? missingOf(chunks) : missing - chunk.length
      if (missing !== 0) return
      const fault = faultOf(Buffer.concat(chunks), question)
      if (fault !== undefined) return reject(new Error(fault))
      const now = performance.now()
      if (!onAnswer(asked, now)) return resolve()
      chunks = []
      missing = -1
      question = next()
      asked = performance.now()
      socket.write(question.bytes)
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error(`${question.path}: the connection was closed`)))
    socket.write(question.bytes)
  })
}

/** Bytes that are still to come; below 0 while the head is not whole. */
function missingOf(chunks: readonly Buffer[]): number {
  const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
  const end = bytes.indexOf(END_OF_HEAD)
  if (end < 0) return -1
  const head = bytes.toString('latin1', 0, end)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined && !head.startsWith('HTTP/1.1 304'))
    throw new Error(`no content-length in ${head}`)
  return end + END_OF_HEAD.length + Number(length ?? 0) - bytes.length
}

function faultOf(reply: Buffer, { status, body, path }: Question): string | undefined {
  const answered = reply.toString('latin1', 9, 12)
  if (answered !== String(status)) return `${path}: ${reply.toString('utf8', 0, 600)}`
  if (body === undefined) return undefined
  const own = reply.subarray(reply.indexOf(END_OF_HEAD) + END_OF_HEAD.length)
  return own.equals(body) ? undefined : `${path}: ${own} instead of ${body}`
}
