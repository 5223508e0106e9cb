import type { FastifyInstance } from 'fastify'
import { stringify } from 'lossless-json'
import { addressOf } from '../../support/conformance/ask.ts'
import { type Case, readCorpus } from '../../support/conformance/corpus.ts'
import { words } from '../../support/words.ts'

/** Requests of the corpus that any server with its data can be asked alone: without keys of their own or texts of earlier replies. */
export const corpusRequests: readonly Case[] = readCorpus()
  .flatMap(({ cases }) => cases)
  .filter(({ request, needs, authorization, send }) => {
    const isOfKeys = needs !== undefined || authorization !== undefined
    return (
      !isOfKeys &&
      !/\{(?!graphql_url)\w+\}/.test(request) &&
      !(stringify(send ?? null) ?? '').includes('"kept"')
    )
  })

export interface Sent {
  readonly method: string
  readonly url: string
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, unknown>>
}

/** Sends a request to a server below a base path, without a socket. */
export async function send(
  server: FastifyInstance,
  request: Case,
  {
    basePath = '',
    headers = {},
  }: { readonly basePath?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Sent> {
  const { method, url, ...more } = partsOf(request, basePath, headers)
  const reply = await server.inject({ method: method as 'GET', url, ...more })
  return { method, url, status: reply.statusCode, body: reply.body, headers: reply.headers }
}

/** The same over a socket. */
export async function sendTo(
  origin: string,
  request: Case,
  basePath: string,
  headers: Readonly<Record<string, string>>,
): Promise<Sent> {
  const { method, url, payload, ...more } = partsOf(request, basePath, headers)
  const reply = await fetch(origin + url, { method, body: payload ?? null, ...more })
  const { status } = reply
  return { method, url, status, body: await reply.text(), headers: Object.fromEntries(reply.headers) }
}

function partsOf(request: Case, basePath: string, headers: Readonly<Record<string, string>>) {
  const base = `http://localhost${basePath}`
  const target = { baseUrl: `${base}/v1`, graphqlUrl: `${base}/graphql`, network: 'net', timeoutMs: 0 }
  const { method, url } = addressOf(request, target, new Map())
  const { send: body } = request
  return {
    ...{ method, url: url.replace('http://localhost', '') },
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...request.headers,
      ...headers,
    },
    ...(body !== undefined && { payload: stringify(body) ?? '' }),
  }
}

const compared = words(`content-type etag ledgerlake-snapshot ledgerlake-unknown ledgerlake-missing
  ledgerlake-rows location`)

/** What every switch has to leave as it is; addresses in it without the base path. */
export function kept({ method, url, status, body, headers }: Sent, base = '') {
  // A body with links has another tag below another path.
  const hasLinks = body.includes('"href":')
  return {
    ...Object.fromEntries(
      compared.map((name) => [name, name === 'etag' && hasLinks ? undefined : headers[name]]),
    ),
    ...{ request: `${method} ${url.slice(base.length)}`, status },
    // What is wrong with an instant of a snapshot names the time.
    body: body.replaceAll(`${base}/`, '/').replaceAll(/to [\dT:.-]+Z, now/g, 'to now'),
  }
}
