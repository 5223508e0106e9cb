import { fail } from '../../base/errors.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import { type ClusterError, clusterFault, statusFault, transportFault } from './failures.ts'

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

/** A reply of the statement protocol. The first has neither columns nor data. */
interface Reply {
  readonly id: string
  readonly nextUri?: string
  readonly columns?: readonly { readonly name: string }[]
  readonly data?: readonly (readonly unknown[])[]
  readonly error?: ClusterError
  readonly stats?: { readonly state: string }
}

/** Runs statements on a cluster, to the end or until aborted. */
export class TrinoConnection {
  readonly #options: TrinoOptions
  readonly #headers: Readonly<Record<string, string>>

  constructor(options: TrinoOptions) {
    const { catalog, schema, user, password } = options
    this.#options = options
    this.#headers = {
      'X-Trino-User': user,
      'X-Trino-Source': 'ledgerlake',
      'X-Trino-Catalog': catalog,
      'X-Trino-Schema': schema,
      'X-Trino-Time-Zone': 'UTC',
      ...(password !== '' && {
        Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
      }),
    }
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
    // An abort leaves this request to its end: the reply has the id to cancel.
    const sent = this.#ask(`${this.#options.server}/v1/statement`, {
      method: 'POST',
      body: sql,
      headers: { 'X-Trino-Session': session },
    })
    let isOver = false
    try {
      let reply = await unlessGone(sent, end)
      for (;;) {
        if (reply.error != null) {
          isOver = true
          throw clusterFault(reply.error)
        }
        if (reply.columns != null && reply.data != null && reply.data.length > 0)
          yield { columns: reply.columns.map(({ name }) => name), rows: reply.data }
        end.throwIfAborted()
        if (reply.nextUri === undefined) break
        reply = await this.#ask(reply.nextUri, { signal: end })
      }
      isOver = true
      // Other states mean that rows are missing.
      const { state } = reply.stats ?? {}
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

  /** Sends a request and reads its reply. Errors: those of `#send`; `overloaded` or `not_ready` for an HTTP status. */
  async #ask(address: string, request: RequestInit): Promise<Reply> {
    const response = await this.#send(address, request)
    if (response.ok) return (await response.json()) as Reply
    await response.body?.cancel()
    throw statusFault(response.status)
  }

  /** Errors: those of `fetch`; `not_ready` if the password would be sent without TLS. */
  async #send(address: string, request: RequestInit): Promise<Response> {
    const { password } = this.#options
    if (password !== '' && !address.startsWith('https:')) {
      const cause = new Error(
        `the replies of Trino go on at ${new URL(address).origin}, without TLS; set http-server.process-forwarded=true`,
      )
      fail('not_ready', 'Trino goes on without TLS, where no password is sent.', { cause })
    }
    return await fetch(address, { ...request, headers: { ...this.#headers, ...request.headers } })
  }

  /** Cancels a statement, even one still being sent. */
  async #cancel(sent: Promise<Reply>): Promise<void> {
    const cancelled = sent.then(({ id }) =>
      this.#send(`${this.#options.server}/v1/query/${id}`, { method: 'DELETE' }),
    )
    await cancelled.then(({ body }) => body?.cancel()).catch(() => {})
  }
}

/** Session properties as a header; values are percent-encoded. */
function encoded(session: TrinoOptions['session']): string {
  return Object.entries(session)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join(',')
}
