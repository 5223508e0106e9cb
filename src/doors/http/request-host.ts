import type { IncomingMessage, RequestListener } from 'node:http'
import { isIP } from 'node:net'
import { refuseUnread } from './unreadable-request.ts'

/** Passes on requests whose target and Host are as HTTP has them, and refuses others. Source: RFC 9112, 3.2. */
export function unlessMalformed(listener: RequestListener): RequestListener {
  let lastHost: string | undefined
  const isHost = (host: string) => {
    const isRead = host === lastHost || HOST.test(host)
    if (isRead) lastHost = host
    return isRead
  }
  return (request, response) => {
    const { url = '', method, headers, socket } = request
    // The host of a whole address counts instead of Host.
    if (!url.startsWith('/') && URL.canParse(url)) headers.host = new URL(url).host
    if (!hasOneHost(request) || !isHost(headers.host ?? '')) refuseUnread(socket, 'ERR_HOST')
    else if (url === '*' && method !== 'OPTIONS') refuseUnread(socket, 'ERR_TARGET')
    else listener(request, response)
  }
}

/** A name, an address or nothing, and perhaps a port. Source: RFC 3986, 3.2.2. */
const HOST = /^([\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(:\d*)?$/i

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
    else refuseUnread(request.socket, 'ERR_FOREIGN_HOST')
  }
}

function hasOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}
