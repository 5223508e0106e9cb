import { Costs, type RequestWork } from './costs.ts'
import { TimeShares } from './time-shares.ts'

export interface AdmissionOptions {
  /** Longest estimated wait of a queued request. */
  readonly mostWaitMs: number
  /** Limits of concurrent requests. */
  readonly slots: Readonly<Record<Lane, number>>
  /** Monotonic clock in ms. */
  readonly now?: () => number
}

/** An admitted request. */
export interface Ticket {
  /** Resolves when its work may begin. */
  readonly turn: Promise<void>
  /**
   * Releases the slot; later calls do nothing. Estimates learn from finished work (true) and from work cancelled late (false).
   * Omit the argument for failed work, whose duration means nothing.
   */
  release(isDone?: boolean): void
}

interface AdmissionLoad {
  readonly waiting: number
  readonly running: number
  /** Estimated ms of all admitted work that is not finished. */
  readonly backlogMs: number
}

type Lane = 'cheap' | 'costly'

interface Client {
  readonly name: string
  tickets: number
  /** Virtual time: estimated ms of started work. All clients share the scale of a lane. */
  readonly served: Record<Lane, number>
  readonly waiting: Record<Lane, number>
}

interface QueuedRequest {
  readonly client: Client
  readonly cost: number
  /** The earliest due request of a client starts first. */
  readonly due: number
  readonly start: () => void
  /** Value of `TimeShares.begin` once it runs. */
  share?: number
}

/** Longer requests use the few costly slots, so cheap ones never wait behind all of them. */
const COSTLY_MS = 10
/** A busy machine slows cheap requests too. They become costly only beyond this multiple of `COSTLY_MS`. */
const BUSY_FACTOR = 4
/** Most admitted requests of equal cost; a single client gets half of it. */
const MOST_EQUALS = 128
/** Cheap requests are always admitted up to this much work. */
const LEAST_LIMIT_MS = 200
/** Most idle clients whose served work is remembered. */
const MOST_IDLE = 1024
/** Longest Retry-After, in seconds. */
const MOST_RETRY_S = 60
/** A request is due this multiple of its cost after its arrival. */
const AGEING = 8

/**
 * Admits requests while their estimated wait is short, and starts them by fair queuing over clients. Another request delays a new
 * one by at most the lesser of both costs. A client's earlier requests count twice, so one client leaves half of the queue free.
 */
export class Admission {
  readonly #options: AdmissionOptions
  readonly #now: () => number
  readonly #costs = new Costs()
  readonly #shares: TimeShares
  readonly #active = new Map<string, Client>()
  /** Without it, a closed-loop client would always jump the queue. */
  readonly #idle = new Map<string, Client>()
  readonly #waiting: Record<Lane, Set<QueuedRequest>> = { cheap: new Set(), costly: new Set() }
  readonly #running: Record<Lane, Set<QueuedRequest>> = { cheap: new Set(), costly: new Set() }
  /** Virtual time of the client whose request started last. */
  readonly #served: Record<Lane, number> = { cheap: 0, costly: 0 }
  /** Largest virtual time of any client. */
  readonly #mostServed: Record<Lane, number> = { cheap: 0, costly: 0 }

  constructor(options: AdmissionOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
    this.#shares = new TimeShares(this.#now)
  }

  /** Admits work of a client, or returns the seconds of Retry-After. */
  admit(clientName: string, work: RequestWork): Ticket | number {
    return (
      this.retryAfter(clientName, work) ??
      this.#accept(this.#openClient(clientName), work, this.#costs.estimate(work, clientName))
    )
  }

  /** Returns the seconds of Retry-After if `admit` would refuse the work. */
  retryAfter(clientName: string, work: RequestWork): number | undefined {
    const cost = this.#costs.estimate(work, clientName)
    const { waitMs, ahead } = this.#sumAhead(clientName, cost)
    const { mostEquals = MOST_EQUALS } = work
    const limit = Math.min(2 * this.#options.mostWaitMs, Math.max(LEAST_LIMIT_MS, mostEquals * cost))
    return ahead < limit ? undefined : Math.min(MOST_RETRY_S, Math.max(1, Math.ceil(waitMs / 1000)))
  }

  get hasWaiting(): boolean {
    return this.#waiting.cheap.size + this.#waiting.costly.size > 0
  }

  load(): AdmissionLoad {
    const count = ({ cheap, costly }: Record<Lane, Set<QueuedRequest>>) => cheap.size + costly.size
    const { waitMs } = this.#sumAhead('', Number.POSITIVE_INFINITY)
    return { waiting: count(this.#waiting), running: count(this.#running), backlogMs: waitMs }
  }

  /** Estimates the wait of work; `ahead` counts the client's earlier requests twice. */
  #sumAhead(clientName: string, cost: number): { waitMs: number; ahead: number } {
    let [waitMs, ahead] = [0, 0]
    for (const lane of [this.#waiting, this.#running])
      for (const requests of [lane.cheap, lane.costly])
        for (const earlier of requests) {
          const ms = Math.min(earlier.cost, cost)
          waitMs += ms
          ahead += ms * (earlier.client.name === clientName ? 2 : 1)
        }
    return { waitMs, ahead }
  }

  #openClient(name: string): Client {
    const zeros = () => ({ cheap: 0, costly: 0 })
    const remembered = this.#active.get(name) ?? this.#idle.get(name)
    const client = remembered ?? { name, tickets: 0, served: zeros(), waiting: zeros() }
    this.#idle.delete(name)
    this.#active.set(name, client)
    client.tickets += 1
    return client
  }

  #accept(client: Client, work: RequestWork, cost: number): Ticket {
    let start = () => {}
    const turn = new Promise<void>((resolve) => {
      start = resolve
    })
    const lane = cost > (work.ms > COSTLY_MS ? COSTLY_MS : BUSY_FACTOR * COSTLY_MS) ? 'costly' : 'cheap'
    const queued: QueuedRequest = { client, cost, due: this.#now() + AGEING * cost, start }
    // Clients save up no turns while they are idle.
    if (client.waiting[lane] === 0) client.served[lane] = Math.max(client.served[lane], this.#served[lane])
    this.#waiting[lane].add(queued)
    client.waiting[lane] += 1
    this.#startNext(lane)
    let isReleased = false
    return {
      turn,
      release: (isDone) => {
        if (isReleased) return
        isReleased = true
        if (this.#waiting[lane].delete(queued)) client.waiting[lane] -= 1
        this.#running[lane].delete(queued)
        client.tickets -= 1
        if (client.tickets === 0) this.#rememberIdle(client)
        const ms = queued.share === undefined ? undefined : this.#shares.end(queued.share)
        if (ms !== undefined && isDone !== undefined) this.#costs.learn(work, client.name, ms, isDone)
        this.#startNext(lane)
        // Work served while no earlier client waited is no debt.
        if (this.#running[lane].size === 0) this.#served[lane] = this.#mostServed[lane]
      },
    }
  }

  #rememberIdle(client: Client): void {
    this.#active.delete(client.name)
    this.#idle.set(client.name, client)
    const [oldest] = this.#idle.keys()
    if (this.#idle.size > MOST_IDLE && oldest !== undefined) this.#idle.delete(oldest)
  }

  #startNext(lane: Lane): void {
    while (this.#running[lane].size < this.#options.slots[lane]) {
      const next = this.#findNext(lane)
      if (next === undefined) return
      this.#waiting[lane].delete(next)
      this.#running[lane].add(next)
      next.client.waiting[lane] -= 1
      this.#served[lane] = Math.max(this.#served[lane], next.client.served[lane])
      next.client.served[lane] += next.cost
      this.#mostServed[lane] = Math.max(this.#mostServed[lane], next.client.served[lane])
      next.share = this.#shares.begin()
      next.start()
    }
  }

  /** Finds the earliest due request of the least served client. */
  #findNext(lane: Lane): QueuedRequest | undefined {
    let first: QueuedRequest | undefined
    for (const request of this.#waiting[lane]) {
      const isBefore =
        first === undefined ||
        request.client.served[lane] < first.client.served[lane] ||
        (request.client === first.client && request.due < first.due)
      if (isBefore) first = request
    }
    return first
  }
}
