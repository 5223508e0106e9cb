import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { connect, type Socket } from 'node:net'

/** Numbers of the processes that a server started to answer. */
export function workersOf(parent: number | undefined): readonly number[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return processes.map(Number).filter((pid) => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
      const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0')
      return Number(fields[1]) === parent && fields[0] !== 'Z' && command.includes('serve')
    } catch {
      return false
    }
  })
}

/** Which worker accepted a connection to a port, by the port at this end. */
function workerOf(port: number, own: number, workers: readonly number[]): number | undefined {
  const hex = (number: number) => number.toString(16).toUpperCase().padStart(4, '0')
  const rows = readFileSync('/proc/net/tcp', 'latin1')
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
  const row = rows.find(
    ([, local = '', remote = '']) => local.endsWith(`:${hex(port)}`) && remote.endsWith(`:${hex(own)}`),
  )
  return workers.find((pid) => {
    const folder = `/proc/${pid}/fd`
    return filesOf(folder).some((name) => linkOf(`${folder}/${name}`) === `socket:[${row?.[9]}]`)
  })
}

/** None of a process that has ended. */
function filesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

/** Asks until every worker has answered; gives a body of each. Errors: Error when one has ended. */
export async function askEachWorker(
  address: string,
  workers: readonly number[],
  path: string,
): Promise<ReadonlyMap<number, string>> {
  const bodies = new Map<number, string>()
  const { port, host } = new URL(address)
  while (bodies.size < workers.length) {
    for (const pid of workers) process.kill(pid, 0)
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        const socket = connect(Number(port), '127.0.0.1')
        let text = ''
        socket.setEncoding('utf8').on('data', (part: string) => {
          text += part
          worker ??= workerOf(Number(port), socket.localPort ?? 0, workers)
        })
        let worker: number | undefined
        socket.on('error', () => {})
        socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
        await whole(socket, () => text)
        socket.destroy()
        const body = text.slice(text.indexOf('\r\n\r\n') + 4)
        if (worker !== undefined && body !== '') bodies.set(worker, body)
      }),
    )
  }
  return bodies
}

/** Waits until a reply of a known length is there, or the connection is closed. */
async function whole(socket: Socket, text: () => string): Promise<void> {
  while (!socket.destroyed) {
    const length = /content-length: (\d+)/i.exec(text())?.[1]
    const begin = text().indexOf('\r\n\r\n') + 4
    if (length !== undefined && begin > 3 && Buffer.byteLength(text().slice(begin)) >= Number(length)) return
    await new Promise((resolve) => socket.once('data', resolve).once('close', resolve))
  }
}
