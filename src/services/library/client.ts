import type { Reads } from './api.ts'
import type { CallOptions, Instant, Page } from './calls.ts'
import { valueOfJson } from './plain-value.ts'
import { parameterText, queryText } from './query-text.ts'
import { operations } from './wire-names.ts'

export interface ClientOptions {
  /** Address of the API with its network, such as `https://lake.example.org/v1/net`. */
  readonly url: string
  readonly key?: string
  /** Snapshot of all reads, by its id or an instant; default: the newest one of each call. */
  readonly asOf?: Instant
  /** How often a refused request is sent again after its Retry-After; default: 3. */
  readonly retries?: number
  readonly fetch?: typeof fetch
}

/** Reads of a server. */
export interface Client extends Omit<Reads, 'sql' | 'statement' | 'earnings' | 'earningsFile'> {
  /** Returns a client of one snapshot. */
  at(snapshot: Instant): Client
}

/** An error response of a server. */
export class ClientError extends Error {
  readonly status: number
  /** Such as `not_found`; undefined if the response is of another program. */
  readonly code: string | undefined

  constructor(status: number, code: string | undefined, message: string) {
    super(message)
    this.name = 'ClientError'
    this.status = status
    this.code = code
  }
}

const RETRIED = [429, 503]
const LONGEST_WAIT_S = 120
const ROWS_AT_ONCE = 100

/** Opens a typed client. It runs in browsers too, and opens no connection before the first call. */
export function openClient(options: ClientOptions): Client {
  const { url, key, asOf, retries = 3, fetch: send = fetch } = options
  const base = url.replace(/\/$/, '')

  async function request(path: string, query: object, { signal }: CallOptions): Promise<Response> {
    const parameters = { ...queryText(query), ...(asOf !== undefined && { as_of: parameterText(asOf) }) }
    const address = `${base}${path}?${new URLSearchParams(parameters)}`
    const headers = { ...(key !== undefined && { authorization: `Bearer ${key}` }) }
    for (let attempt = 0; ; attempt += 1) {
      const response = await send(address, { headers, ...(signal && { signal }) })
      if (response.ok) return response
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
      if (!RETRIED.includes(response.status) || attempt >= retries || !(seconds <= LONGEST_WAIT_S))
        throw await errorOf(response)
      await response.body?.cancel()
      await wait(seconds * 1000, signal)
    }
  }

  const read = async (path: string, query: object = {}, given: CallOptions = {}) =>
    valueOfJson(await (await request(path, query, given)).text())

  async function readPage(path: string, query: object = {}, given: CallOptions = {}): Promise<Page<unknown>> {
    const { meta, ...body } = (await read(path, query, given)) as { meta: object }
    return { ...meta, records: Object.values(body)[0] } as Page<unknown>
  }

  /** The path of files refuses a query without a format. */
  async function readFile(path: string, query: object, given: CallOptions = {}) {
    const response = await request(`/files${path}`, query, given)
    const rows = response.headers.get('ledgerlake-rows')
    if (rows === null || response.body === null)
      throw new ClientError(
        response.status,
        undefined,
        `The file at ${path} came without its header Ledgerlake-Rows; a proxy may remove it.`,
      )
    return { rows: Number(rows), bytes: response.body }
  }

  const faces: Readonly<Record<string, (path: string) => object>> = {
    list: (path) => ({
      page: (query?: object, given?: CallOptions) => readPage(path, query, given),
      async *rows(query: object = {}, given: CallOptions = {}) {
        // One snapshot for all pages, whatever is committed meanwhile.
        const first = await request(path, { ...query, perPage: 1 }, given)
        await first.body?.cancel()
        const pinned = asOf ?? first.headers.get('ledgerlake-snapshot')
        for (let [page, pages] = [1, 1]; page <= pages; page += 1) {
          const of = { ...query, page, perPage: ROWS_AT_ONCE, ...(pinned && { asOf: pinned }) }
          const { records, totalPages } = await readPage(path, of, given)
          pages = totalPages
          yield* records
        }
      },
      export: (query: object, given?: CallOptions) => readFile(path, query, given),
    }),
    totals: (path) => ({ totals: (query?: object, given?: CallOptions) => read(path, query, given) }),
    series: (path) => ({
      series: (query?: object, given?: CallOptions) => read(path, query, given),
      seriesFile: (query: object, given?: CallOptions) => readFile(path, query, given),
    }),
    find: (path) => ({
      find: (id: string, given?: CallOptions) =>
        read(path.replace('{id}', encodeURIComponent(id)), {}, given).catch((error: unknown) => {
          if (error instanceof ClientError && error.code === 'not_found') return undefined
          throw error
        }),
    }),
  }

  const tables: Record<string, object> = {}
  for (const [table, kind, path] of operations) tables[table] = { ...tables[table], ...faces[kind]?.(path) }
  const client = {
    ...tables,
    coverage: (query?: object, given?: CallOptions) => read('/status', query, given),
    search: (q: string, given?: CallOptions) => read('/search', { q }, given),
    at: (snapshot: Instant) => openClient({ ...options, asOf: snapshot }),
  }
  return client as unknown as Client
}

async function errorOf(response: Response): Promise<ClientError> {
  const text = await response.text()
  try {
    const { error, code } = JSON.parse(text) as { error?: unknown; code?: unknown }
    return new ClientError(response.status, typeof code === 'string' ? code : undefined, String(error))
  } catch {
    return new ClientError(response.status, undefined, `the server answers ${response.status}`)
  }
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
