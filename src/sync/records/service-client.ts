import { setTimeout } from 'node:timers/promises'
import { type Patience, usualPatience } from '../../object-store/repeated.ts'
import { isPrivate } from './service-address.ts'
import { ServiceFault } from './service-fault.ts'
import { faultOfReply } from './service-refusals.ts'

export interface ServiceOptions {
  /** Sent to the origin of the addresses that are asked, and to no other; empty: none. */
  readonly key: string
  /** The most requests that are sent in a minute. */
  readonly ratePerMinute: number
  readonly patience?: Patience
  /** The longest time from a request to the last byte of its reply. */
  readonly timeoutMs?: number
}

/** A reply with status 200. */
export interface ServiceReply {
  readonly body: Buffer
  /** What names the data that it was answered from, where the service says so. */
  readonly snapshot: string | undefined
}

const MINUTE_MS = 60_000
const LONGEST_WAIT_MS = 30_000
/** Who is asked to wait longer ends instead. */
const LONGEST_ASKED_MS = 15 * MINUTE_MS
/** A hundred records have some hundred kilobytes. */
const MOST_BYTES = 32_000_000
const MOST_REDIRECTS = 5

/** Asks a service, not more often than it is told to, and again while faults may pass. */
export class ServiceClient {
  readonly #options: ServiceOptions
  #nextAt = 0
  /** Requests sent so far, repeated ones too. */
  requests = 0

  constructor(options: ServiceOptions) {
    this.#options = options
  }

  /** Errors: `ServiceFault`, the reason of the signal. */
  async get(address: string, signal: AbortSignal | undefined): Promise<ServiceReply> {
    const { attempts, firstWaitMs } = this.#options.patience ?? usualPatience
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#follow(address, signal)
      } catch (error) {
        signal?.throwIfAborted()
        if (!(error instanceof ServiceFault) || error.kind !== 'passing' || attempt >= attempts) throw error
        if ((error.waitMs ?? 0) > LONGEST_ASKED_MS) throw error
        const own = Math.min(LONGEST_WAIT_MS, firstWaitMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
        await setTimeout(Math.max(own, error.waitMs ?? 0), undefined, { signal })
      }
    }
  }

  async #follow(address: string, signal: AbortSignal | undefined): Promise<ServiceReply> {
    const { origin } = new URL(address)
    let at = new URL(address)
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      const isKeySent = at.origin === origin && isPrivate(at) && this.#options.key !== ''
      const reply = await this.#send(at, isKeySent, signal)
      if (!(reply instanceof URL)) return reply
      at = reply
    }
    throw new ServiceFault('refused', `${address} redirects more than ${MOST_REDIRECTS} times`)
  }

  /** One request: a reply, or where it is said to be. */
  async #send(at: URL, isKeySent: boolean, signal: AbortSignal | undefined): Promise<ServiceReply | URL> {
    await this.#turn(signal)
    const { key, timeoutMs = MINUTE_MS } = this.#options
    const timeout = AbortSignal.timeout(timeoutMs)
    const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
    const headers = { accept: 'application/json', ...(isKeySent && { authorization: `Bearer ${key}` }) }
    try {
      const response = await fetch(at, { headers, redirect: 'manual', signal: either })
      const body = await readBody(response, at)
      const location = response.headers.get('location')
      if (response.status >= 300 && response.status < 400 && location !== null) return targetOf(location, at)
      if (response.status !== 200) throw faultOfReply(response, body, at, { key, isKeySent })
      return { body, snapshot: response.headers.get('ledgerlake-snapshot') ?? undefined }
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof ServiceFault) throw error
      const reason = timeout.aborted ? `no whole reply within ${timeoutMs / 1000} s` : reasonOf(error)
      throw new ServiceFault('passing', `${placeOf(at)} cannot be read: ${reason}`, { cause: error })
    }
  }

  /** Requests are spread over the minute, so that no window of it has more. */
  async #turn(signal: AbortSignal | undefined): Promise<void> {
    const now = performance.now()
    const at = Math.max(now, this.#nextAt)
    this.#nextAt = at + MINUTE_MS / this.#options.ratePerMinute
    if (at > now) await setTimeout(at - now, undefined, { signal })
    this.requests += 1
  }
}

async function readBody(response: Response, at: URL): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > MOST_BYTES)
      throw new ServiceFault('refused', `${placeOf(at)} answers more than ${MOST_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function targetOf(location: string, at: URL): URL {
  const target = URL.canParse(location, at.href) ? new URL(location, at) : undefined
  if (target !== undefined && /^https?:$/.test(target.protocol)) return target
  throw new ServiceFault('refused', `${placeOf(at)} redirects to what is no address`)
}

function placeOf({ origin, pathname }: URL): string {
  return origin + pathname
}

/** fetch says what is wrong in the cause of its error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message || error.message : error.message
}
