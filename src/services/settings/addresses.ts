import { isIP } from 'node:net'
import type { Reader } from './readers.ts'

/** Public address of a server; both parts are empty if each request determines it. */
export interface OutsideAddress {
  /** Scheme, host and port. */
  readonly origin: string
  /** Prefix of every path, without a trailing slash. */
  readonly basePath: string
}

/** First path segments of the server's own routes; a base path that starts with one would be ambiguous. */
const pattern =
  /^\/(v\d+|graphql|docs|metrics|statement|delta-sharing|healthz|readyz|up|openapi\.json|llms\.txt)(\/|$)/
const BASE = /^(\/(?!\.{1,2}(\/|$))[\w.~-]+)*\/?$/

function basePathOf(path: string): string | undefined {
  return BASE.test(path) && !pattern.test(path) ? path.replace(/\/$/, '') : undefined
}

/** Parses `https://api.example.org/base`, a path alone, or empty text. */
export const outsideAddress: Reader<OutsideAddress> = {
  advice:
    'use an address such as https://api.example.org/base, or a path such as /base, whose first part is none of the server',
  read(text) {
    const [, origin = '', path = ''] = /^(https?:\/\/[^/?#@\s]+)?(\/[^?#\s]*)?$/i.exec(text) ?? []
    if (text !== origin + path || (origin !== '' && !URL.canParse(origin))) return undefined
    const basePath = basePathOf(path)
    return basePath === undefined ? undefined : { origin: origin && new URL(origin).origin, basePath }
  },
}

const names = ['loopback', 'linklocal', 'uniquelocal']

function isNetwork(text: string): boolean {
  const [address = '', bits, ...others] = text.split('/')
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  const isSize = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= most)
  return names.includes(text) || (most > 0 && others.length === 0 && isSize)
}

/** Trusted proxies: false for none, true for all, or the number of proxies in a row. */
export const trustedProxies: Reader<boolean | number | readonly string[]> = {
  advice:
    'use addresses or networks such as 10.0.0.7 or 10.0.0.0/8, loopback, linklocal or uniquelocal, separated by commas, a number of proxies from 1 to 9, or true',
  read(text) {
    if (text === '' || text === 'false') return false
    if (text === 'true') return true
    if (/^[1-9]$/.test(text)) return Number(text)
    const list = text.split(',').map((one) => one.trim())
    return list.every(isNetwork) ? list : undefined
  },
}

/** Address on which a server listens. */
export interface ListenAddress {
  readonly host: string
  readonly port: number
}

/** Parses `127.0.0.1:9464` or `[::1]:9464`; null for empty text. */
export const listenAddress: Reader<ListenAddress | null> = {
  advice: 'use an address and a port, such as 127.0.0.1:9464 or [::1]:9464',
  read(text) {
    if (text === '') return null
    const [, bracketed, plain, port = ''] = /^(?:\[([\da-f:]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(text) ?? []
    const host = bracketed ?? plain
    return host === undefined || Number(port) > 65_535 ? undefined : { host, port: Number(port) }
  },
}
