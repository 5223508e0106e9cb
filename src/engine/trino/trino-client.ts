import type { QueryResult, Trino } from 'trino-client'
import { fail } from '../../base/errors.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import { clusterFault, transportFault } from './failures.ts'

/** Address and credentials of a cluster. */
export interface TrinoOptions {
  /** Address of the coordinator. */
  readonly server: string
  readonly catalog: string
  readonly schema: string
  readonly user: string
  /** Empty to send none. */
  readonly password: string
  /** Session properties of every statement. */
  readonly session: Readonly<Record<string, string>>
}

/** Rows of a result, as JSON values. */
export interface ResultPage {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

/** Extra time after the cluster's own deadline. */
const GRACE_MS = 5000

/** Runs statements on a cluster, to the end or until aborted. */
export class TrinoConnection {
  readonly #options: TrinoOptions
  #client: Promise<Trino> | undefined

  constructor(options: TrinoOptions) {
    this.#options = options
  }

  /** Loads the client with the first statement: most programs send none. */
  async #open(): Promise<Trino> {
    const { server, catalog, schema, user, password } = this.#options
    const { BasicAuth, Trino } = await import('trino-client')
    const trino = Trino.create({
      ...{ server, catalog, schema, source: 'ledgerlake' },
      extraHeaders: { 'X-Trino-User': user, 'X-Trino-Time-Zone': 'UTC' },
      ...(password !== '' && { auth: new BasicAuth(user, password) }),
    })
    // A proxy of the environment would receive HTTPS requests and the password in plain text.
    insideOf(trino).clientConfig.proxy = false
    return trino
  }

  /**
   * Streams the rows of a statement. The cluster ends it after `longestMs`. An abort or early return cancels it on
   * the cluster, also before the first row.
   * Errors: the reason of the signal; `deadline_exceeded`, `overloaded` and `not_ready`.
   */
  async *pages(sql: string, longestMs: number, signal?: AbortSignal): AsyncGenerator<ResultPage> {
    signal?.throwIfAborted()
    const timeout = AbortSignal.timeout(longestMs + GRACE_MS)
    const end = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
    const session = encoded({ ...this.#options.session, query_max_run_time: `${longestMs}ms` })
    const extraHeaders = { 'Content-Type': 'text/plain; charset=utf-8' }
    this.#client ??= this.#open()
    const sent = this.#client.then((client) => client.query({ query: sql, session, extraHeaders }))
    let isOver = false
    try {
      const iterator = await unlessGone(sent, end)
      let result = firstOf(iterator)
      for (;;) {
        if (result.error != null) {
          isOver = true
          throw clusterFault(result.error)
        }
        if (result.columns != null && result.data != null && result.data.length > 0)
          yield { columns: result.columns.map(({ name }) => name), rows: result.data }
        end.throwIfAborted()
        if (result.nextUri === undefined) break
        result = await unlessGone(this.#next(result.nextUri), end)
      }
      isOver = true
      // Other states mean that rows are missing.
      const { state } = result.stats ?? {}
      if (state !== 'FINISHED')
        fail('not_ready', `Trino ended a statement as ${state}; ask again in a moment.`)
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (timeout.aborted) return fail('deadline_exceeded', 'Trino did not answer within the deadline.')
      throw transportFault(error)
    } finally {
      if (!isOver) void this.#cancel(sent)
    }
  }

  /** Fetches the next reply. */
  async #next(address: string): Promise<Result> {
    const { password } = this.#options
    if (password !== '' && !address.startsWith('https:')) {
      const cause = new Error(
        `the replies of Trino go on at ${new URL(address).origin}, without TLS; set http-server.process-forwarded=true`,
      )
      fail('not_ready', 'Trino goes on without TLS, where no password is sent.', { cause })
    }
    return await insideOf(await this.#client).request({ url: address })
  }

  /** Cancels a statement, even one still being sent. */
  async #cancel(sent: ReturnType<Trino['query']>): Promise<void> {
    await sent.then(async (iterator) => (await this.#client)?.cancel(firstOf(iterator).id)).catch(() => {})
  }
}

type Result = QueryResult & {
  readonly error?: { readonly errorName: string; readonly message: string } | null
}

/** Internals of `Trino`: its settings, and a single request. */
interface ClientInternals {
  readonly clientConfig: { proxy?: false }
  request(config: { readonly url: string }): Promise<Result>
}

function insideOf(trino: Trino | undefined): ClientInternals {
  const { client } = trino as unknown as { readonly client?: Partial<ClientInternals> }
  if (client?.clientConfig === undefined || client.request === undefined)
    throw new Error('this version of trino-client keeps its settings elsewhere')
  return client as ClientInternals
}

/** The iterator yields nothing before the first rows, so the first reply and its id are read from its internals. */
function firstOf(iterator: Awaited<ReturnType<Trino['query']>>): Result {
  const { iter } = iterator as unknown as { readonly iter?: { readonly queryResult?: Result } }
  if (iter?.queryResult === undefined) throw new Error('this version of trino-client keeps replies elsewhere')
  return iter.queryResult
}

/** Session properties are percent-encoded in a header. */
function encoded(session: TrinoOptions['session']): Record<string, string> {
  return Object.fromEntries(Object.entries(session).map(([name, value]) => [name, encodeURIComponent(value)]))
}
