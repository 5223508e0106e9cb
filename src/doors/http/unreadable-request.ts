import type { Socket } from 'node:net'
import { writeJson } from '../../base/values/json-writer.ts'
import { safeHeaders } from '../hooks/reply-headers.ts'

interface Refusal {
  readonly status: string
  readonly sentence: string
}

const unreadable: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    sentence: 'The address and the headers are longer than 16 kB, the limit.',
  },
  HPE_INVALID_METHOD: {
    status: '501 Not Implemented',
    sentence: 'The method of the request is none that is known; use GET, HEAD, POST or OPTIONS.',
  },
  HPE_INVALID_TRANSFER_ENCODING: {
    status: '501 Not Implemented',
    sentence: 'Transfer-Encoding is none that is known; use chunked alone, and no Content-Length with it.',
  },
  HPE_INVALID_VERSION: {
    status: '505 HTTP Version Not Supported',
    sentence: 'The version of HTTP is none that is spoken here; use 1.1.',
  },
  ERR_TARGET_TOO_LONG: {
    status: '414 URI Too Long',
    sentence: 'The address is longer than 16 kB, the limit.',
  },
  ERR_HOST: {
    status: '400 Bad Request',
    sentence: 'The request must have one Host header, with a name or an address and perhaps a port.',
  },
  ERR_TARGET: {
    status: '400 Bad Request',
    sentence: 'An asterisk in the place of an address is of OPTIONS alone.',
  },
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

const noHttp: Refusal = {
  status: '400 Bad Request',
  sentence: 'The request is no HTTP that can be read.',
}

/** The connection below TLS, which is still open when a handshake turns out to be none. */
const withoutTls = (socket: Socket) => (socket as { readonly _parent?: Socket })._parent ?? socket

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
  const { status, sentence } = refusalOf(error)
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

const LINE = /^[!#$%&'*+.^`|~\w-]+ \S+ HTTP\/\d/

/** The refusal of bytes that the parser could not read, as far as they tell. */
function refusalOf({
  code = '',
  rawPacket,
}: NodeJS.ErrnoException & { readonly rawPacket?: Buffer }): Refusal {
  const begin = rawPacket?.toString('latin1', 0, MOST_HEADER_BYTES) ?? ''
  // Bytes that are no line of a request at all, such as those of TLS, have no method that could be unknown.
  const isLine = LINE.test(begin)
  if (code === 'HPE_INVALID_METHOD' && !isLine) return noHttp
  const isTarget = code === 'HPE_HEADER_OVERFLOW' && begin.length > 0 && !begin.includes('\n')
  return unreadable[isTarget ? 'ERR_TARGET_TOO_LONG' : code] ?? noHttp
}

/** The limit of node:http. */
const MOST_HEADER_BYTES = 16_384

/** Refuses a request that could be read, by one of the codes above. */
export function refuseUnread(socket: Socket, code: string): void {
  answerUnreadable(Object.assign(new Error(code), { code }), socket)
}
