import { stringify } from 'lossless-json'
import { readExact } from '../exact-json.ts'
import type { Case, ExactJson } from './corpus.ts'

/** A server and how it is asked. */
export interface Target {
  /** The REST address, up to and with /v1. */
  readonly baseUrl: string
  readonly graphqlUrl: string
  /** Path segment that stands for the network. */
  readonly network: string
  readonly key?: string | undefined
  /** A key that has no features. */
  readonly plainKey?: string | undefined
  readonly timeoutMs: number
}

export interface Reply {
  readonly status: bigint
  readonly headers: Headers
  readonly text: string
}

/** A request that got no reply at all, in words for a human. */
export class NoReply extends Error {}

const MOST_BYTES = 16_000_000

/** Method and address as they are sent; `{name}` is a text that an earlier reply brought. */
export function addressOf({ request }: Case, target: Target, kept: ReadonlyMap<string, string>) {
  const [method = '', ...rest] = request.split(' ')
  const written = rest
    .join(' ')
    .replace('{graphql_url}', () => target.graphqlUrl)
    .replace(/^\/net\//, () => `/${target.network}/`)
    .replace(/\{(\w+)\}/g, (whole, name: string) => {
      const text = kept.get(name)
      return text === undefined ? whole : encodeURIComponent(text)
    })
  return { method, url: written.startsWith('/') ? target.baseUrl + written : written }
}

/** Sends the request of a case. Errors: `NoReply` when nothing, too much or too late something came back. */
export async function ask(own: Case, target: Target, kept: ReadonlyMap<string, string>): Promise<Reply> {
  const { method, url } = addressOf(own, target, kept)
  const key = keyOf(own, target)
  const headers = {
    accept: 'application/json',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(own.send !== undefined && { 'content-type': 'application/json' }),
    ...own.headers,
  }
  const body = own.send === undefined ? null : (stringify(withKept(own.send, kept)) ?? null)
  const signal = AbortSignal.timeout(target.timeoutMs)
  try {
    const reply = await fetch(url, { method, headers, body, signal, redirect: 'manual' })
    return { status: BigInt(reply.status), headers: reply.headers, text: await textOf(reply) }
  } catch (error) {
    throw error instanceof NoReply ? error : new NoReply(reasonOf(error, target.timeoutMs))
  }
}

async function textOf(reply: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of reply.body ?? []) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new NoReply(`more than ${MOST_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function keyOf({ authorization }: Case, { key, plainKey }: Target): string | undefined {
  if (authorization === 'none') return undefined
  if (authorization === 'wrong') return '0'.repeat(64)
  return authorization === 'plain key' ? plainKey : key
}

/** A body to send, with `{"$": "kept", "name": …}` replaced by what an earlier reply brought. */
function withKept(send: ExactJson, kept: ReadonlyMap<string, string>): unknown {
  if (typeof send !== 'object' || send === null) return send
  if (Array.isArray(send)) return send.map((item: ExactJson) => withKept(item, kept))
  if ('$' in send) return kept.get(String(send.name)) ?? null
  return Object.fromEntries(Object.entries(send).map(([name, own]) => [name, withKept(own, kept)]))
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no whole reply within ${timeoutMs / 1000} s`
  const { cause } = error
  return cause instanceof Error && cause.message !== '' ? cause.message : `${error.message}${codeOf(cause)}`
}

function codeOf(cause: unknown): string {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? ` (${cause.code})` : ''
}

/** The body as exact JSON, that of NDJSON as a list of its lines, or why it is none. */
export function bodyOf({ text, headers }: Reply): { readonly json: ExactJson } | { readonly fault: string } {
  const isLines = headers.get('content-type')?.startsWith('application/x-ndjson') === true
  const json = isLines ? `[${text.trimEnd().split('\n').join(',')}]` : text
  try {
    return { json: readExact<{ json: ExactJson }>(`{"json":${json}}`).json }
  } catch {
    return { fault: text === '' ? 'an empty body' : `no JSON: ${text.slice(0, 200)}` }
  }
}
