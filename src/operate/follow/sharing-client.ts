import { setTimeout as pause } from 'node:timers/promises'
import { faultOfResponse } from '../http-client/fault-of-response.ts'
import { chunksOf, faultOfFetch, followRedirects, redirectTarget } from '../http-client/follow-redirects.ts'
import { type FaultKind, StoreFault } from '../object-store/object-store.ts'
import { paceOf, readUntilStalled } from '../object-store/read-until-stalled.ts'
import { LONGEST_ASKED_MS } from '../object-store/retry-request.ts'

export interface SharingOptions {
  /** Delta Sharing endpoint of a ledgerlake, such as `https://lake.example.org/delta-sharing`. */
  readonly endpoint: string
  /** Sent to the endpoint only; empty: no key. */
  readonly key: string
  /** Timeout for the start of a response, and between its bytes. */
  readonly silentMs?: number
}

/** A request below the endpoint. */
interface SharingRequest {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Statuses of accepted replies. */
  readonly statuses: readonly number[]
  /** Meanings of other statuses. By default a status of `isPassingStatus` is retried, and any other is a refusal. */
  readonly kinds?: Readonly<Record<number, FaultKind>>
  /** Meaning of 404. */
  readonly missing: string
}

export interface SharingReply extends Pick<Response, 'status' | 'headers'> {
  readonly chunks: AsyncIterable<Uint8Array>
}

const SILENT_MS = 60_000
const MOST_WORDS_BYTES = 65_536

const meanings = {
  forbidden:
    'it does not share its lake with this client; set LEDGERLAKE_SYNC_KEY to a key with the feature Share',
  unexpected: 'it is not the reply of a server that shares its lake',
}

/** HTTP client of another ledgerlake. Waits as long as its responses request. */
export class SharingClient {
  readonly #options: SharingOptions
  #nextAt = 0

  constructor(options: SharingOptions) {
    this.#options = options
  }

  /** Errors: `StoreFault`, also while the body is read; the reason of the signal. */
  async get(request: SharingRequest, signal: AbortSignal): Promise<SharingReply> {
    const wait = this.#nextAt - performance.now()
    if (wait > 0) await pause(wait, undefined, { signal })
    const address = new URL(`${this.#options.endpoint}/${request.path}`)
    try {
      return await followRedirects(address, (at, mayHaveKey) => this.#send(at, mayHaveKey, request, signal))
    } catch (error) {
      signal.throwIfAborted()
      throw faultOfFetch(error, address)
    }
  }

  async #send(
    at: URL,
    mayHaveKey: boolean,
    request: SharingRequest,
    signal: AbortSignal,
  ): Promise<SharingReply | URL> {
    const { key, silentMs = SILENT_MS } = this.#options
    const isKeySent = mayHaveKey && key !== ''
    const begin = new AbortController()
    const late = new Error(`nothing came for ${silentMs / 1000} s`)
    const timer = setTimeout(() => begin.abort(late), silentMs)
    const response = await fetch(at, {
      headers: { ...request.headers, ...(isKeySent && { authorization: `Bearer ${key}` }) },
      redirect: 'manual',
      signal: AbortSignal.any([signal, begin.signal]),
    }).finally(() => clearTimeout(timer))
    const chunks = readUntilStalled(
      chunksOf(response),
      paceOf(silentMs),
      (error) => faultOfFetch(error, at),
      signal,
    )
    const { status, headers } = response
    if (request.statuses.includes(status)) return { status, headers, chunks }
    const words = await readAtMost(chunks, MOST_WORDS_BYTES)
    const target = redirectTarget(response, at)
    if (target !== undefined) return target
    const { missing } = request
    const meaning = { ...meanings, missing, key, isKeySent }
    throw this.#faultHere(faultOfResponse(response, words ?? Buffer.alloc(0), at, meaning), request)
  }

  /** Applies the request's fault kinds to a refusal. A passing fault delays the next request. */
  #faultHere(fault: StoreFault, { kinds = {} }: SharingRequest): StoreFault {
    const { kind, message, waitMs, status } = fault
    if (kind !== 'passing') return new StoreFault(kinds[status] ?? 'refused', message, fault, status)
    if (waitMs > LONGEST_ASKED_MS)
      return new StoreFault('refused', `${message}; it wants to be asked again in ${waitMs / 1000} s`, fault)
    this.#nextAt = Math.max(this.#nextAt, performance.now() + waitMs)
    return fault
  }
}

/** Returns all bytes of a response; undefined if there are more than `most`. */
async function readAtMost(chunks: AsyncIterable<Uint8Array>, most: number): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > most) return undefined
    parts.push(chunk)
  }
  return Buffer.concat(parts)
}
