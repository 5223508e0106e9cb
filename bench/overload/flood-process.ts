import { connect, type Socket } from 'node:net'

/**
 * Sends requests over raw sockets that are open already, one at a time on each: as fast as answers come (a closed loop), or so many a second whatever comes
 * back (an open loop). A process of its own, so that it can be kept to another core.
 */

export interface Flood {
  readonly address: string
  /** Whole requests; they are sent in turn. */
  readonly requests: readonly string[]
  readonly ms: number
  readonly connections: number
  /** Left out for a closed loop. */
  readonly perSecond?: number
}

/** Milliseconds from the moment when each request was due until its answer was whole. */
export interface Answers {
  readonly accepted: readonly number[]
  readonly refused: readonly number[]
  /** Refusals that say when to ask again. */
  readonly withRetryAfter: number
  /** Every other answer, with an example; and connections that were closed. */
  readonly others: number
  readonly example: string
  /** Requests for which no connection was free. */
  readonly unsent: number
}

const END_OF_HEAD = '\r\n\r\n'
/** An answer that has not come so long after the last request does not count any more. */
const PATIENCE_MS = 60_000

process.on('message', async (flood: Flood) => {
  process.send?.(await run(flood))
})

async function run({ address, requests, ms, connections, perSecond }: Flood): Promise<Answers> {
  const { hostname, port } = new URL(address)
  const accepted: number[] = []
  const refused: number[] = []
  const counts = { withRetryAfter: 0, others: 0, unsent: 0, example: '' }
  const all = new Set<Socket>()
  const idle: Socket[] = []
  const dueOf = new Map<Socket, number>()
  let sent = 0

  function send(socket: Socket, due: number): void {
    dueOf.set(socket, due)
    socket.write(requests[sent % requests.length] as string)
    sent += 1
  }

  function count(reply: string, tookMs: number): void {
    const status = reply.slice(9, 12)
    if (status === '200' && !reply.includes('"errors":')) accepted.push(tookMs)
    else if (status === '503') {
      refused.push(tookMs)
      if (/\r\nretry-after: [1-9]/i.test(reply)) counts.withRetryAfter += 1
    } else {
      counts.others += 1
      counts.example ||= reply.slice(0, 600)
    }
  }

  function open(): Promise<Socket> {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    all.add(socket)
    let chunks: Buffer[] = []
    let missing = -1
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      missing = missing < 0 ? missingOf(chunks) : missing - chunk.length
      if (missing !== 0) return
      const due = dueOf.get(socket) ?? 0
      dueOf.delete(socket)
      count(chunks[0]?.toString('latin1') ?? '', performance.now() - due)
      chunks = []
      missing = -1
      if (perSecond !== undefined) idle.push(socket)
      else if (!isOver()) send(socket, performance.now())
    })
    socket.on('error', () => {})
    socket.once('close', () => {
      if (dueOf.delete(socket)) counts.others += 1
    })
    return new Promise((resolve) => socket.once('connect', () => resolve(socket)))
  }

  for (let at = 0; at < connections; at += 1) idle.push(await open())
  const begun = performance.now()
  const isOver = () => performance.now() - begun >= ms
  if (perSecond === undefined) for (const socket of idle.splice(0)) send(socket, performance.now())
  for (let asked = 0; !isOver(); await pause()) {
    for (; asked < ((performance.now() - begun) / 1000) * (perSecond ?? 0); asked += 1) {
      const socket = idle.pop()
      if (socket === undefined) counts.unsent += 1
      else if (socket.writable) send(socket, begun + (asked * 1000) / (perSecond ?? 1))
      else counts.others += 1
    }
  }
  const end = performance.now() + PATIENCE_MS
  while (dueOf.size > 0 && performance.now() < end) await pause()
  counts.others += dueOf.size
  dueOf.clear()
  for (const socket of all) socket.destroy()
  return { accepted, refused, ...counts }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1))
}

/** Bytes that are still to come; below 0 while the head is not whole. */
function missingOf(chunks: Buffer[]): number {
  if (chunks.length > 1) chunks.splice(0, chunks.length, Buffer.concat(chunks))
  const [bytes] = chunks as [Buffer]
  const end = bytes.indexOf(END_OF_HEAD)
  if (end < 0) return -1
  const length = /\r\ncontent-length: (\d+)/i.exec(bytes.toString('latin1', 0, end))?.[1]
  if (length === undefined) throw new Error(`no content-length in ${bytes.toString('latin1', 0, end)}`)
  return end + END_OF_HEAD.length + Number(length) - bytes.length
}
