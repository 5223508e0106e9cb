import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { faultOfResponse } from '../../http-client/fault-of-response.ts'
import {
  chunksOf,
  faultOfFetch,
  followRedirects,
  redirectTarget,
  withoutQuery,
} from '../../http-client/follow-redirects.ts'
import { limitBody } from '../../object-store/limit-body.ts'
import { defaultRetryPolicy, type RetryPolicy, retryRequest } from '../../object-store/retry-request.ts'

export interface ServiceClientOptions {
  /** Sent only to the origin of the requested address; empty: no key. */
  readonly key: string
  /** Limit on requests per minute. */
  readonly ratePerMinute: number
  readonly patience?: RetryPolicy
  /** Aborts all requests. */
  readonly signal?: AbortSignal | undefined
  /** Timeout from a request to the last byte of its response. */
  readonly timeoutMs?: number
}

/** A response with status 200. */
export interface ServiceReply {
  readonly body: Buffer
  /** The version of the data in the response, if the service gives one. */
  readonly snapshot: string | undefined
}

const MINUTE_MS = 60_000
/** A hundred records have some hundred kilobytes. */
const MOST_BYTES = 32_000_000

const meanings = {
  forbidden: 'the key in LEDGERLAKE_SYNC_KEY lacks a feature that this list needs',
  missing:
    'the list is not there; --url is the address up to the network, such as https://api.example.org/v1/net',
  unexpected: 'it is not a page of a list',
}

/** HTTP client of a service. Limits its rate, and retries passing faults. */
export class ServiceClient {
  readonly #options: ServiceClientOptions
  #nextAt = 0
  /** Requests sent so far, including retries. */
  requests = 0

  constructor(options: ServiceClientOptions) {
    this.#options = options
  }

  /** Errors: `StoreFault`, the reason of the signal. */
  get(address: string): Promise<ServiceReply> {
    const { key, patience = defaultRetryPolicy, signal } = this.#options
    const send = (at: URL, mayHaveKey: boolean) => this.#send(at, mayHaveKey && key !== '')
    return retryRequest(() => followRedirects(new URL(address), send), patience, signal)
  }

  /** Sends one request; returns the response, or the target of a redirect. */
  async #send(at: URL, isKeySent: boolean): Promise<ServiceReply | URL> {
    await this.#turn()
    const { key, timeoutMs = MINUTE_MS, signal } = this.#options
    const timeout = AbortSignal.timeout(timeoutMs)
    const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
    const headers = { accept: 'application/json', ...(isKeySent && { authorization: `Bearer ${key}` }) }
    try {
      const response = await fetch(at, { headers, redirect: 'manual', signal: either })
      const tooLong = `${withoutQuery(at)} answers more than ${MOST_BYTES} bytes`
      const body = await buffer(limitBody(chunksOf(response), MOST_BYTES, tooLong))
      const target = redirectTarget(response, at)
      if (target !== undefined) return target
      if (response.status !== 200) throw faultOfResponse(response, body, at, { ...meanings, key, isKeySent })
      return { body, snapshot: response.headers.get('ledgerlake-snapshot') ?? undefined }
    } catch (error) {
      signal?.throwIfAborted()
      const late = `no whole reply within ${timeoutMs / 1000} s`
      throw faultOfFetch(error, at, timeout.aborted ? late : undefined)
    }
  }

  /** Waits for a turn. Requests are spread evenly, so that no minute has more than the limit. */
  async #turn(): Promise<void> {
    const now = performance.now()
    const at = Math.max(now, this.#nextAt)
    this.#nextAt = at + MINUTE_MS / this.#options.ratePerMinute
    if (at > now) await setTimeout(at - now, undefined, { signal: this.#options.signal })
    this.requests += 1
  }
}
