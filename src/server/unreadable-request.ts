import type { IncomingMessage, RequestListener } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { writeJson } from '../derive/json-writer.ts'
import { safeHeaders } from './hooks/reply-headers.ts'

const unreadable: Readonly<Record<string, { readonly status: string; readonly sentence: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    sentence: 'The address and the headers are longer than 16 kB, the limit.',
  },
  ERR_HOST: { status: '400 Bad Request', sentence: 'The request must have one Host header.' },
  ERR_FOREIGN_HOST: {
    status: '421 Misdirected Request',
    sentence:
      'This server is for its own machine, and Host names another. Ask it by localhost or by its address, or start it with --public-url.',
  },
  ERR_SSL_HTTP_REQUEST: {
    status: '400 Bad Request',
    sentence: 'The request is plain HTTP, and this port speaks HTTPS. Use https:// in the address.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    sentence: 'The request took too long to arrive.',
  },
}

/** The connection below TLS, which is still open when a handshake turns out to be none. */
const withoutTls = (socket: Socket) => (socket as { readonly _parent?: Socket })._parent ?? socket

/** The same for a request that names no host, or several. Source: RFC 9112, 3.2. */
export function unlessHostless(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (hasOneHost(request)) listener(request, response)
    else
      answerUnreadable(
        Object.assign(new Error('no single Host header'), { code: 'ERR_HOST' }),
        request.socket,
      )
  }
}

/**
 * The same for a request to another host, unless any may be named. A page may have its own name lead to this machine, and would read what is
 * open here. No page has an address or localhost for its name. Source: RFC 9110, 7.4.
 */
export function unlessMisdirected(
  isHostChecked: () => boolean,
  names: readonly string[],
  listener: RequestListener,
): RequestListener {
  const allowed = ['localhost', ...names]
  let lastAllowed: string | undefined
  const isAllowed = (host: string | undefined) => {
    if (host === undefined || host === lastAllowed) return true
    const name = host.toLowerCase().replace(/:\d*$/, '')
    if (!allowed.includes(name) && isIP(name.replace(/^\[|\]$/g, '')) === 0) return false
    lastAllowed = host
    return true
  }
  return (request, response) => {
    if (!isHostChecked() || isAllowed(request.headers.host)) listener(request, response)
    else
      answerUnreadable(
        Object.assign(new Error('Host names another server'), { code: 'ERR_FOREIGN_HOST' }),
        request.socket,
      )
  }
}

function hasOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

/** How long a caller may take to read the reply before its connection is closed. */
const LINGER_MS = 500

/**
 * A request that the HTTP parser refuses has no reply to send by, so its answer is written to the socket. Then the
 * connection is closed, also when its caller goes on sending and reads nothing.
 */
export function answerUnreadable(error: NodeJS.ErrnoException, from: Socket): void {
  const socket = error.code === 'ERR_SSL_HTTP_REQUEST' ? withoutTls(from) : from
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const { status, sentence } = unreadable[error.code ?? ''] ?? {
    status: '400 Bad Request',
    sentence: 'The request is no HTTP that can be read.',
  }
  const body = writeJson({ error: sentence, code: 'malformed_request' })
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...safeHeaders,
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
