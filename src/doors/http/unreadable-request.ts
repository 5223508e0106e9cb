import type { Socket } from 'node:net'
import { writeJson } from '../../base/values/json-writer.ts'
import { safeHeaders } from '../hooks/reply-headers.ts'

type Refusal = readonly [status: string, sentence: string]

const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'The address and the headers are longer than 16 kB, the limit.',
  ],
  HPE_INVALID_METHOD: [
    '501 Not Implemented',
    'The method of the request is none that is known; use GET, HEAD, POST or OPTIONS.',
  ],
  HPE_INVALID_TRANSFER_ENCODING: [
    '501 Not Implemented',
    'Transfer-Encoding is none that is known; use chunked alone, and no Content-Length with it.',
  ],
  HPE_INVALID_VERSION: [
    '505 HTTP Version Not Supported',
    'The version of HTTP is none that is spoken here; use 1.1.',
  ],
  ERR_TARGET_TOO_LONG: ['414 URI Too Long', 'The address is longer than 16 kB, the limit.'],
  ERR_HOST: [
    '400 Bad Request',
    'The request must have one Host header, with a name or an address and perhaps a port.',
  ],
  ERR_TARGET: ['400 Bad Request', 'An asterisk in the place of an address is of OPTIONS alone.'],
  ERR_FOREIGN_HOST: [
    '421 Misdirected Request',
    'This server is for its own machine, and Host names another. Ask it by localhost or by its address, or start it with --public-url.',
  ],
  ERR_SSL_HTTP_REQUEST: [
    '400 Bad Request',
    'The request is plain HTTP, and this port speaks HTTPS. Use https:// in the address.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
}

const invalidHttp: Refusal = ['400 Bad Request', 'The request is not valid HTTP.']

/** Returns the TCP socket below TLS, which stays open after a failed handshake. */
const withoutTls = (socket: Socket) => (socket as { readonly _parent?: Socket })._parent ?? socket

/** Time for a client to read the response before its connection is closed. */
const LINGER_MS = 500

/** Writes the response to a request that the HTTP parser refused to its socket, and closes the connection. */
export function answerUnreadable(error: NodeJS.ErrnoException, connection: Socket): void {
  const socket = error.code === 'ERR_SSL_HTTP_REQUEST' ? withoutTls(connection) : connection
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const [status, sentence] = refusalOf(error)
  const body = writeJson({ error: sentence, code: 'malformed_request' })
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...safeHeaders,
    Date: new Date().toUTCString(),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

const REQUEST_LINE = /^[!#$%&'*+.^`|~\w-]+ \S+ HTTP\/\d/

function refusalOf({
  code = '',
  rawPacket,
}: NodeJS.ErrnoException & { readonly rawPacket?: Buffer }): Refusal {
  const start = rawPacket?.toString('latin1', 0, MOST_HEADER_BYTES) ?? ''
  // Bytes without a request line, such as those of TLS, have no method.
  if (code === 'HPE_INVALID_METHOD' && !REQUEST_LINE.test(start)) return invalidHttp
  const isLongTarget = code === 'HPE_HEADER_OVERFLOW' && start.length > 0 && !start.includes('\n')
  return refusals[isLongTarget ? 'ERR_TARGET_TOO_LONG' : code] ?? invalidHttp
}

/** The limit of node:http. */
const MOST_HEADER_BYTES = 16_384

/** Refuses a request that the parser accepted, by one of the codes above. */
export function refuseRequest(socket: Socket, code: string): void {
  answerUnreadable(Object.assign(new Error(code), { code }), socket)
}
