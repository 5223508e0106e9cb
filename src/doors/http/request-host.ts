import type { IncomingMessage, RequestListener } from 'node:http'
import { isIP } from 'node:net'
import { refuseRequest } from './unreadable-request.ts'

/** Refuses requests with an invalid target or Host. Source: RFC 9112, 3.2. */
export function refuseMalformed(listener: RequestListener): RequestListener {
  let lastHost: string | undefined
  const isHost = (host: string) => {
    const isValid = host === lastHost || HOST.test(host)
    if (isValid) lastHost = host
    return isValid
  }
  return (request, response) => {
    const { url = '', method, headers, socket } = request
    // The host of an absolute URL replaces Host.
    if (!url.startsWith('/') && URL.canParse(url)) headers.host = new URL(url).host
    if (!hasOneHost(request) || !isHost(headers.host ?? '')) refuseRequest(socket, 'ERR_HOST')
    else if (url === '*' && method !== 'OPTIONS') refuseRequest(socket, 'ERR_TARGET')
    else listener(request, response)
  }
}

/** An optional name or address with an optional port. Source: RFC 3986, 3.2.2. */
const HOST = /^([\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(:\d*)?$/i

/**
 * Refuses requests whose Host is neither an address, localhost nor one of `names`. This stops DNS rebinding: a web page whose
 * name resolves to this machine cannot read its data. Source: RFC 9110, 7.4.
 */
export function refuseForeignHosts(
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
    else refuseRequest(request.socket, 'ERR_FOREIGN_HOST')
  }
}

function hasOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}
