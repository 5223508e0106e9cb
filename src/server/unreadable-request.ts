import type { Socket } from 'node:net'
import { writeJson } from '../derive/json-writer.ts'
import { safeHeaders } from './hooks/reply-headers.ts'

const unreadable: Readonly<Record<string, { readonly status: string; readonly sentence: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    sentence: 'The address and the headers are longer than 16 kB, the limit.',
  },
  ERR_HOST: { status: '400 Bad Request', sentence: 'The request must have one Host header.' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    sentence: 'The request took too long to arrive.',
  },
}

/** How long a caller may take to read the reply before its connection is closed. */
const LINGER_MS = 500

/**
 * A request that the HTTP parser refuses has no reply to send by, so its answer is written to the socket. Then the
 * connection is closed, also when its caller goes on sending and reads nothing.
 */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
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
