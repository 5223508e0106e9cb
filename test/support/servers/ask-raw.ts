import { once } from 'node:events'
import { connect } from 'node:net'

/** A reply as it came over the wire. */
export interface RawReply {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** Sends a request byte by byte as it is written: clients mend or refuse what is odd. */
export async function askRaw(server: string, method: string, address: string, body = ''): Promise<RawReply> {
  const { hostname, port } = new URL(server)
  const socket = connect(Number(port), hostname)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  const ended = once(socket, 'close')
  const length =
    body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  socket.write(
    `${method} ${address} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n${length}\r\n${body}`,
  )
  await ended
  const [head = '', ...rest] = Buffer.concat(chunks).toString('utf8').split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head, body: rest.join('\r\n\r\n') }
}
