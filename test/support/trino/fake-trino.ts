import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { onLoopback } from '../servers/loopback.ts'

/** One reply of the statement protocol beside what all have; `waits` leaves it unanswered until the statement is cancelled. */
export interface FakeReply {
  readonly columns?: readonly { readonly name: string; readonly type?: string }[]
  readonly data?: readonly (readonly unknown[])[]
  readonly error?: { readonly errorName: string; readonly message: string; readonly errorType?: string }
  readonly state?: string
  readonly status?: number
  readonly waits?: true
  /** How long the reply is on its way. */
  readonly delayMs?: number
}

/** A statement as it arrived. */
interface FakeStatement {
  readonly sql: string
  readonly headers: IncomingMessage['headers']
}

export interface FakeTrino {
  readonly server: string
  readonly statements: readonly FakeStatement[]
  /** Ids of statements that were cancelled: `q1` is the first. */
  readonly cancelled: readonly string[]
}

/** What a cluster asks of its callers. */
interface FakeAccess {
  /** HTTPS with a certificate for 127.0.0.1 that the authority of the tests has signed; without it HTTP. */
  readonly isSecure?: boolean
  /** Whoever sends another user and password is refused with 401. */
  readonly account?: { readonly user: string; readonly password: string }
  /** Origin of the addresses that replies name, where it is another than the one that was asked. */
  readonly goesOnAt?: string
}

/** Replies to a statement: the first to its POST, one more for each address that the reply before it names. */
type Answer = (sql: string, number: number) => readonly FakeReply[]

const kept = (name: string) => fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url))

/** The file of the authority that has signed the certificate of `isSecure`. */
export const authorityFile = kept('authority.crt')

/** A server on loopback that speaks the statement protocol of Trino and knows nothing; it ends with the test. */
export async function openFakeTrino(answer: Answer, access: FakeAccess = {}): Promise<FakeTrino> {
  const { isSecure = false, account, goesOnAt } = access
  const statements: FakeStatement[] = []
  const cancelled: string[] = []
  const scripts = new Map<string, readonly FakeReply[]>()
  const held = new Map<string, () => void>()
  let origin = ''

  function reply(id: string, page: number, to: ServerResponse): void {
    const script = scripts.get(id) ?? []
    const { status = 200, waits, state, delayMs = 0, ...own } = script[page] ?? {}
    const isLast = page + 1 >= script.length
    const say = (body: object, code = status) => {
      const send = () => to.writeHead(code, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
      if (delayMs > 0) setTimeout(send, delayMs)
      else send()
    }
    if (waits === true && !cancelled.includes(id)) {
      const error = { errorName: 'USER_CANCELED', errorType: 'USER_ERROR', message: 'Query was canceled' }
      held.set(id, () => say({ id, error, stats: { state: 'FAILED' } }))
      return
    }
    const ended = own.error === undefined ? 'FINISHED' : 'FAILED'
    const next =
      isLast || own.error !== undefined
        ? {}
        : { nextUri: `${goesOnAt ?? origin}/v1/statement/${id}/${page + 1}` }
    say({ id, ...own, ...next, stats: { state: state ?? (isLast ? ended : 'RUNNING') } })
  }

  const listener: RequestListener = async (request, response) => {
    if (account !== undefined && request.headers.authorization !== basicOf(account)) {
      await text(request)
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="Trino"' }).end('Access Denied')
      return
    }
    const [, id = '', page = ''] = /^\/v1\/(?:statement|query)\/(\w+)\/?(\d*)$/.exec(request.url ?? '') ?? []
    if (request.method === 'DELETE') {
      cancelled.push(id)
      response.writeHead(204).end()
      held.get(id)?.()
    } else if (request.method === 'POST') {
      const sql = await text(request)
      statements.push({ sql, headers: request.headers })
      const own = `q${statements.length}`
      scripts.set(own, answer(sql, statements.length))
      reply(own, 0, response)
    } else reply(id, Number(page), response)
  }
  const read = (name: string) => readFileSync(kept(name))
  const server = isSecure
    ? createSecureServer({ cert: read('loopback.crt'), key: read('loopback.key') }, listener)
    : createServer(listener)
  origin = (await onLoopback(server)).origin
  return { server: origin, statements, cancelled }
}

function basicOf({ user, password }: { readonly user: string; readonly password: string }): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/** The replies of a statement that is queued first, and gives these rows. */
export function rowsReply(
  columns: readonly string[],
  ...data: readonly (readonly unknown[])[]
): readonly FakeReply[] {
  const named = columns.map((name) => ({ name, type: 'varchar' }))
  return [{ state: 'QUEUED' }, { columns: named, data }]
}
