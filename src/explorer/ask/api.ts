import { getOrMake } from '../../base/maps.ts'
import { type Exact, readExact } from '../values/exact-json.ts'
import { hashOf } from '../values/question.ts'
import { knownKey } from './keys.ts'
import { tellReached } from './reached.ts'

/** A response, and the address that requests it again. */
export interface Reply<T> {
  readonly value: T
  /** Path and query, as a link. */
  readonly address: string
}

/** The server refused the request. `status` is 0 if it could not be reached. */
export class Refused extends Error {
  readonly status: number
  /** Seconds to wait before a retry, from `Retry-After`. */
  readonly retryAfter: number | undefined

  constructor(message: string, status: number, retryAfter?: number) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
  }
}

/** Options of a request that is not a GET for JSON. */
interface Asking {
  readonly method?: 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type Given = Readonly<Record<string, string | undefined>>

export interface Api {
  /**
   * Requests a public operation by its path below the network. Equal requests share a reply. Errors: Refused; AbortError
   * after the page was left.
   */
  ask<T = Exact>(path: string, given?: Given): Promise<Reply<T>>
  /** Like `ask`, but undefined for 404. */
  find<T = Exact>(path: string): Promise<Reply<T> | undefined>
  /** Sends a GraphQL query. The address opens the page that has it. Errors: those of `ask`. */
  query<T>(query: string, variables: object): Promise<Reply<T>>
  /** Returns the address of an operation, for a link. */
  addressOf(path: string, given?: Given): string
}

/** Paths on this server: of all pages, and of the network, such as `/v1/net`. */
interface Paths {
  readonly base: string
  readonly apiBase: string
}

/** The server refuses addresses above 16 kB, of which headers take some. */
const LONGEST_ADDRESS = 12_000

export function openApi({ base, apiBase }: Paths, signal: AbortSignal): Api {
  const addressOf = (path: string, given: Given = {}) => {
    const parameters = Object.entries(given).filter((one): one is [string, string] => one[1] !== undefined)
    const query = new URLSearchParams(parameters).toString().replaceAll('%3A', ':').replaceAll('%2C', ',')
    return apiBase + path + (query && `?${query}`)
  }

  const replies = new Map<string, Promise<Reply<unknown>>>()

  function ask<T>(path: string, given?: Given): Promise<Reply<T>> {
    const address = addressOf(path, given)
    const reply = getOrMake(replies, address, () => request<T>(address)) as Promise<Reply<T>>
    // A retry sends the request again.
    reply.catch(() => replies.delete(address))
    return reply
  }

  async function request<T>(address: string): Promise<Reply<T>> {
    const { response, bytes } = await reachPatiently(address, signal)
    const text = decodeText(bytes)
    if (!response.ok) throw refusalOfResponse(response, text)
    return { value: readExact<T>(text), address }
  }

  return {
    ask,
    addressOf,
    async query<T>(query: string, variables: object) {
      const text = JSON.stringify(variables)
      const path = `${base}/graphql`
      const address = `${path}?${new URLSearchParams({ query, variables: text })}`
      const post = {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      } as const
      // The server repeats its responses to GET.
      const { response, bytes } = await (address.length < LONGEST_ADDRESS
        ? reachPatiently(address, signal)
        : reachPatiently(path, signal, post))
      const body = readExact<{ readonly data: T; readonly errors?: Exact }>(decodeText(bytes))
      if (body.errors !== undefined) throw refusalOfResponse(response, decodeText(bytes))
      return { value: body.data, address: path + hashOf({ query, variables: text }) }
    },
    async find<T>(path: string) {
      try {
        return await ask<T>(path)
      } catch (error) {
        if (error instanceof Refused && error.status === 404) return undefined
        throw error
      }
    },
  }
}

/** A response with its complete body. */
interface Reached {
  readonly response: Response
  readonly bytes: ArrayBuffer
}

export const decodeText = (bytes: ArrayBuffer) => new TextDecoder().decode(bytes)

/** Fetches an address of this server, with the API key if the tab has one. Errors: Refused, AbortError. */
export async function reach(
  address: string,
  signal: AbortSignal,
  { headers: own, ...request }: Asking = {},
): Promise<Reached> {
  const key = knownKey()
  const headers = {
    Accept: 'application/json',
    ...own,
    ...(key !== null && { Authorization: `Bearer ${key}` }),
  }
  try {
    const response = await fetch(address, { ...request, headers, signal })
    const bytes = await response.arrayBuffer()
    tellReached(true)
    return { response, bytes }
  } catch (error) {
    return unreachable(error, signal)
  }
}

/** A page requests several sums at once. A busy server refuses some with 503; the page retries them. */
const MOST_TRIES = 6
const LONGEST_WAIT_S = 10

async function reachPatiently(address: string, signal: AbortSignal, request?: Asking): Promise<Reached> {
  for (let tries = 1; ; tries += 1) {
    const reached = await reach(address, signal, request)
    const { status, headers } = reached.response
    const seconds = Number(headers.get('Retry-After') ?? Number.NaN)
    if (status !== 503 || tries === MOST_TRIES || !(seconds <= LONGEST_WAIT_S)) return reached
    // The jitter spreads the retries.
    await new Promise((resolve) => setTimeout(resolve, (seconds - Math.random() / 2) * 1000))
    signal.throwIfAborted()
  }
}

/** Awaits the script of a page or of a part of a page. Errors: Refused if the server cannot be reached; AbortError. */
export function fetched<T>(script: Promise<T>, signal?: AbortSignal): Promise<T> {
  return script.catch((error: unknown) => unreachable(error, signal))
}

/** Errors: Refused, or `error` itself after the page was left. */
function unreachable(error: unknown, signal: AbortSignal | undefined): never {
  if (signal?.aborted) throw error
  tellReached(false)
  throw new Refused('The server cannot be reached. Is this device online?', 0)
}

/** Error body of REST (`error`) or of GraphQL (`errors`). */
interface Problem {
  readonly error?: unknown
  readonly errors?: readonly { readonly message?: unknown }[]
}

export function refusalOfResponse({ status, headers }: Response, text: string): Refused {
  const seconds = Number(headers.get('Retry-After'))
  const again = Number.isInteger(seconds) && seconds > 0 ? seconds : undefined
  try {
    const { error, errors }: Problem = JSON.parse(text)
    const sentence = error ?? errors?.[0]?.message
    if (typeof sentence === 'string') return new Refused(sentence, status, again)
  } catch {}
  return new Refused(`The server answered ${status}.`, status, again)
}
