import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../support/free-port.ts'

/** HAProxy with the configuration of the guide, in front of servers of this machine. */

const template = new URL('../../deploy/haproxy/haproxy.cfg', import.meta.url)

/** What HAProxy says of a server. */
interface Backend {
  /** `UP`, `DOWN`, or on the way to either, such as `UP 1/2`. */
  readonly status: string
  /** How many requests it was chosen for since the start. */
  readonly chosen: number
}

export interface Balancer {
  readonly address: string
  readonly pid: number
  look(): Promise<ReadonlyMap<string, Backend>>
  stop(): Promise<void>
}

/** The version of HAProxy that is installed. Errors: it is not. */
export function balancerVersion(): string {
  const { stdout } = spawnSync('haproxy', ['-v'], { encoding: 'utf8' })
  const version = /version (\S+)/.exec(stdout ?? '')?.[1]
  if (version === undefined) throw new Error('HAProxy is not installed; use: apt-get install haproxy')
  return version
}

/** Starts it in front of servers by their names; `folder` takes its configuration and its socket. */
export async function startBalancer(
  folder: string,
  name: string,
  servers: Readonly<Record<string, string>>,
): Promise<Balancer> {
  const port = await freePort()
  const socket = join(folder, `${name}.socket`)
  const path = join(folder, `${name}.cfg`)
  writeFileSync(path, configurationFor(port, socket, servers))
  const child = spawn('haproxy', ['-db', '-f', path], { stdio: ['ignore', 'ignore', 'inherit'] })
  const kill = () => child.kill('SIGKILL')
  process.prependOnceListener('exit', kill)
  const look = async () => backendsIn(await askSocket(socket, 'show stat'))
  while ((await look().catch(() => undefined)) === undefined) {
    if (child.exitCode !== null) throw new Error(`haproxy -f ${path} ended with ${child.exitCode}`)
    await setTimeout(20)
  }
  return {
    address: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    look,
    async stop() {
      process.off('exit', kill)
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** The configuration of the guide with other addresses, and a socket to ask. */
function configurationFor(port: number, socket: string, servers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(servers).map(([name, address]) => `  server ${name} ${new URL(address).host}`)
  const [first, ...more] = readFileSync(template, 'utf8').split(/^ {2}server .*\n/m)
  const head = String(first)
    .replace(/^global$/m, `global\n  stats socket ${socket}`)
    .replace(/^ {2}bind .*$/m, `  bind 127.0.0.1:${port}`)
  if (more.length === 0 || !head.includes(socket) || !head.includes(`:${port}`))
    throw new Error(`${template} has no global section, no bind or no server line`)
  return `${head}${lines.join('\n')}\n`
}

function backendsIn(table: string): ReadonlyMap<string, Backend> {
  const [head = '', ...rows] = table.replace(/^# /, '').trim().split('\n')
  const names = head.split(',')
  const cell = (row: readonly string[], name: string) => row[names.indexOf(name)] ?? ''
  return new Map(
    rows
      .map((row) => row.split(','))
      .filter((row) => !['FRONTEND', 'BACKEND'].includes(cell(row, 'svname')))
      .map((row) => [
        cell(row, 'svname'),
        { status: cell(row, 'status'), chosen: Number(cell(row, 'lbtot')) },
      ]),
  )
}

async function askSocket(path: string, command: string): Promise<string> {
  const socket = connect(path)
  socket.end(`${command}\n`)
  let text = ''
  for await (const part of socket.setEncoding('utf8')) text += part
  return text
}
