import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Random } from '../../src/write/sample/random.ts'
import { onLoopback } from './servers/loopback.ts'
import { damaged, type ForwardedReply, forward } from './sync/fault-proxy.ts'

/** What happens to a request on its way, or to its reply. */
export type Trouble =
  | 'server error'
  | 'slow down'
  | 'no reply'
  | 'cut'
  | 'truncated'
  | 'damaged'
  | 'silent'
  | 'stale 304'
  | 'no ranges'
  | 'edited'

export interface RoughWay {
  readonly address: string
  /** Where requests are passed on to. */
  target: string
  /** By path and headers of each request; undefined where it goes through. */
  trouble: (path: string, headers: IncomingMessage['headers']) => Trouble | undefined
  /** Is waited for before a reply is sent. */
  beforeReply: (path: string) => Promise<void>
  /** Paths of the requests, with the first byte that was asked for. */
  readonly asked: string[]
}

/** A proxy on loopback before a server; it ends with the test. */
export async function roughWay(target: string, random: Random): Promise<RoughWay> {
  const asked: string[] = []
  const way: RoughWay = { address: '', target, trouble: () => undefined, beforeReply: async () => {}, asked }

  async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const { url = '/', headers } = request
    const from = /^bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? '0'
    asked.push(`${decodeURIComponent(url.split('?sha256')[0] ?? '')} ${from}`)
    const trouble = way.trouble(url, headers)
    if (trouble === 'server error') return void reply.writeHead(502).end('<html>')
    if (trouble === 'slow down') return void reply.writeHead(429, { 'retry-after': '0' }).end()
    if (trouble === 'no reply') return void reply.socket?.resetAndDestroy()
    if (trouble === 'stale 304') return void reply.writeHead(304).end()
    if (trouble === 'no ranges') delete headers.range
    if (trouble === 'edited') delete headers['accept-encoding']
    const forwarded = await forward(request, way.target)
    await way.beforeReply(url)
    send(forwarded, trouble, reply)
  }

  function send(
    { status, headers, body }: ForwardedReply,
    trouble: Trouble | undefined,
    reply: ServerResponse,
  ) {
    // A number of a log entry within JSON.
    const edited = Buffer.from(body.toString().replace('\\"size\\":', '\\"size\\":1'))
    const half = body.subarray(0, random.below(Math.max(1, body.length)))
    if (trouble === 'truncated')
      reply.writeHead(status, { ...headers, 'content-length': half.length }).end(half)
    else if (trouble === 'damaged' && body.length > 0)
      reply.writeHead(status, headers).end(damaged(body, random))
    else if (trouble === 'edited')
      reply.writeHead(status, { ...headers, 'content-length': edited.length }).end(edited)
    else if (trouble === 'cut' || trouble === 'silent') {
      reply.writeHead(status, headers)
      reply.write(half)
      if (trouble === 'cut') setTimeout(() => reply.destroy(), 2)
    } else reply.writeHead(status, headers).end(body)
  }

  const server = createServer((request, reply) => void answer(request, reply).catch(() => reply.destroy()))
  return Object.assign(way, { address: (await onLoopback(server)).origin })
}
