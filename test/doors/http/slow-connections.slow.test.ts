import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { program, runToEnd, startServing } from '../../../bench/support/program.ts'
import { cleanUp } from '../../support/clean-up.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** `npm run test:long -- connections` sets both. */
const { CONNECTIONS, CONNECTIONS_TIMEOUT_MS = '2000' } = process.env
const count = Number(CONNECTIONS ?? 200)
const timeoutMs = Number(CONNECTIONS_TIMEOUT_MS)
/** The server may take so much longer on a busy machine. */
const GRACE_MS = 20_000
/** Files that a server without slow connections may open besides. */
const FEW = 10
/** Memory is returned after connections are closed. */
const SETTLE_MS = 6000

const head = 'Host: here\r\n'
const page = '/v1/net/l2/iot-reward-shares?from=2024-06-02&to=2024-07-01&per_page=100'
const pages = Array.from(
  { length: 100 },
  (_, index) => `GET ${page}&page=${1 + index} HTTP/1.1\r\n${head}\r\n`,
)

interface Kind {
  readonly first: string
  /** Sent again and again. */
  readonly more?: string
  readonly count: number
}

const kinds: Readonly<Record<string, Kind>> = {
  'send header lines one by one': { first: `GET / HTTP/1.1\r\n${head}`, more: 'X-Slow: 1\r\n', count },
  'send nothing': { first: '', count },
  'stop in a body': {
    first: `POST /graphql HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 900\r\n\r\n{`,
    count,
  },
  'request pages at once and read none': { first: pages.join(''), count: Math.ceil(count / 10) },
}

describe('connections', () => {
  let lake: string

  beforeAll(async () => {
    const folder = await temporaryFolder()
    lake = `${folder}/lake`
    const range = ['--days', '30', '--start', '2024-06-01', '--hotspots', '300']
    await runToEnd([program, 'sample', '--out', `${folder}/oracle`, ...range])
    await runToEnd([program, 'ingest', `${folder}/oracle`, '--lake', lake])
  })

  it.each(Object.entries(kinds))(
    'that %s are closed after the request timeout, and other clients get responses meanwhile',
    async (name, kind) => {
      const server = await startServing([
        ...[program, 'serve', '--lake', lake, '--port', '0', '--workers', '1', '--slow-request-ms', '0'],
        ...['--request-timeout-ms', String(timeoutMs)],
      ])
      cleanUp(() => server.stop())
      const { pid } = server
      const p99Before = await p99For(1000, server.address)
      const before = { files: filesOf(pid), rss: rssOf(pid) }
      const most = { opened: 0, rss: 0 }
      const opened = () => filesOf(pid) - before.files
      const sockets = openSockets(server.address, kind)
      const watch = setInterval(() => {
        most.opened = Math.max(most.opened, opened())
        most.rss = Math.max(most.rss, rssOf(pid))
        // A write fails if the server has closed the connection, as a read would.
        for (const socket of sockets) if (kind.more !== undefined) socket.write(kind.more)
      }, 100)
      cleanUp(() => clearInterval(watch))
      const meanwhile = p99For(timeoutMs, server.address)
      await within(() => opened() >= kind.count - FEW)
      const began = performance.now()
      await within(() => opened() < FEW)
      const seconds = (performance.now() - began) / 1000
      expect(most.opened).toBeGreaterThanOrEqual(kind.count - FEW)
      expect(opened()).toBeLessThan(FEW)
      const p99 = await meanwhile
      expect(p99).toBeLessThan(timeoutMs)
      if (CONNECTIONS === undefined) return
      await setTimeout(SETTLE_MS)
      const rss = [before.rss, most.rss, rssOf(pid)]
      console.log({ name, ...most, 'RSS before, most, after in MB': rss, p99Before, p99, seconds })
    },
  )
})

function openSockets(address: string, { first, count: wanted }: Kind): ReadonlySet<Socket> {
  const { port, hostname } = new URL(address)
  const sockets = new Set<Socket>()
  for (let index = 0; index < wanted; index += 1) {
    const socket = connect(Number(port), hostname)
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    socket.pause()
    socket.write(first)
    cleanUp(() => socket.destroy())
  }
  return sockets
}

/** Waits until something holds, or until the timeout and the grace are over. */
async function within(holds: () => boolean): Promise<void> {
  const end = performance.now() + timeoutMs + GRACE_MS
  while (!holds() && performance.now() < end) await setTimeout(50)
}

const filesOf = (pid: number) => readdirSync(`/proc/${pid}/fd`).length
const rssOf = (pid: number) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)

/** Milliseconds of a page for one client that asks as fast as responses come. */
async function p99For(ms: number, address: string): Promise<number> {
  const headers = { 'accept-encoding': 'identity' }
  const taken: number[] = []
  const end = performance.now() + ms
  for (let turn = 1; performance.now() < end; turn += 1) {
    const began = performance.now()
    await (await fetch(`${address}${page}&page=${1 + (turn % 50)}`, { headers })).arrayBuffer()
    taken.push(performance.now() - began)
  }
  return taken.sort((one, other) => one - other)[Math.floor(taken.length * 0.99)] ?? Number.NaN
}
