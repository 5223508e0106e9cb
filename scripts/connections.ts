import { readdirSync, readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { markdownTable } from '../bench/support/markdown.ts'
import { program, runToEnd, startServing } from '../bench/support/program.ts'
import { temporaryFolder } from '../bench/support/temporary-folder.ts'

/**
 * Opens many connections that hold up a server, of each kind in turn, and says what becomes of them and of others meanwhile:
 * npm run test:long -- connections --count 2000. Exit code 1 when one is not cut in time.
 */

const { values } = parseArgs({
  options: { count: { type: 'string', default: '2000' }, 'timeout-ms': { type: 'string', default: '10000' } },
})
const [count, timeoutMs] = [Number(values.count), Number(values['timeout-ms'])]
/** What the server may take besides, on a busy machine. */
const GRACE_MS = 20_000

/** Open files of a server that has no connections but a few. */
const FEW = 100

const head = 'Host: here\r\n'
const page = '/v1/net/l2/iot-reward-shares?from=2024-06-02&to=2024-07-01&per_page=100'

interface Kind {
  readonly name: string
  readonly first: string
  /** Sent again and again. */
  readonly more?: string
  readonly reads?: boolean
  /** Connections, where fewer do. */
  readonly part?: number
}

const kinds: readonly Kind[] = [
  { name: 'header lines, one by one', first: `GET / HTTP/1.1\r\n${head}`, more: 'X-Slow: 1\r\n' },
  { name: 'nothing at all', first: '' },
  {
    name: 'bodies that stop',
    first: `POST /graphql HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 900\r\n\r\n{`,
  },
  {
    name: 'pages asked for at once, none read',
    first: Array.from(
      { length: 100 },
      (_, index) => `GET ${page}&page=${1 + index} HTTP/1.1\r\n${head}\r\n`,
    ).join(''),
    part: 0.1,
  },
]

const folder = temporaryFolder()
const lake = `${folder}/lake`
await runToEnd([
  program,
  'sample',
  '--out',
  `${folder}/oracle`,
  '--days',
  '30',
  '--start',
  '2024-06-01',
  '--hotspots',
  '300',
])
await runToEnd([program, 'ingest', `${folder}/oracle`, '--lake', lake])
const rows: string[][] = []
for (const kind of kinds) rows.push(await hold(kind))
console.log(
  markdownTable(
    [
      'connections that send',
      'number',
      'open files most',
      'RSS before, most, after in MB',
      'others p99 before, meanwhile in ms',
      'all open, then cut after s',
    ],
    rows,
  ),
)

async function hold({ name, first, more, reads = false, part = 1 }: Kind): Promise<string[]> {
  const server = await startServing([
    ...[program, 'serve', '--lake', lake, '--port', '0', '--workers', '1', '--slow-request-ms', '0'],
    ...['--request-timeout-ms', String(timeoutMs)],
  ])
  const { port, hostname } = new URL(server.address)
  const pid = server.pid ?? 0
  const before = { p99: await p99For(1000, server.address), rss: rssOf(pid) }
  const wanted = Math.ceil(count * part)
  const sockets = new Set<Socket>()
  for (let index = 0; index < wanted; index += 1) {
    const socket = connect(Number(port), hostname)
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    if (!reads) socket.pause()
    socket.write(first)
  }
  const most = { fds: 0, rss: 0 }
  const watch = setInterval(() => {
    most.fds = Math.max(most.fds, readdirSync(`/proc/${pid}/fd`).length)
    most.rss = Math.max(most.rss, rssOf(pid))
    // A write tells that the other end has closed, as reading would.
    for (const socket of sockets) if (more !== undefined) socket.write(more)
  }, 500)
  const meanwhile = p99For(timeoutMs, server.address)
  const atServer = () => readdirSync(`/proc/${pid}/fd`).length
  const opening = performance.now()
  while (atServer() < wanted && performance.now() - opening < timeoutMs + GRACE_MS) await setTimeout(100)
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  while (atServer() >= FEW && seconds() * 1000 < timeoutMs + GRACE_MS) await setTimeout(250)
  const isCut = most.fds >= wanted && atServer() < FEW
  clearInterval(watch)
  const taken = seconds().toFixed(1)
  const p99 = await meanwhile
  await setTimeout(6000)
  const after = rssOf(pid)
  for (const socket of sockets) socket.destroy()
  await server.stop()
  if (!isCut) process.exitCode = 1
  return [
    ...[name, String(wanted), String(most.fds)],
    `${before.rss}, ${most.rss}, ${after}`,
    `${before.p99.toFixed(0)}, ${p99.toFixed(0)}`,
    isCut ? taken : `not within ${taken}`,
  ]
}

function rssOf(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
}

/** Milliseconds of a page for one caller who asks as fast as answers come. */
async function p99For(ms: number, address: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const taken: number[] = []
  const end = performance.now() + ms
  for (let turn = 1; performance.now() < end; turn += 1) {
    const began = performance.now()
    await new Promise<void>((resolve, reject) => {
      get(`${address}${page}&page=${1 + (turn % 50)}`, { agent }, (reply) =>
        reply.resume().once('end', resolve),
      ).once('error', reject)
    })
    taken.push(performance.now() - began)
  }
  agent.destroy()
  return taken.sort((one, other) => one - other)[Math.floor(taken.length * 0.99)] ?? Number.NaN
}
