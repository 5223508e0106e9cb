import { Costs, type Work } from './costs.ts'
import { TimeShares } from './time-shares.ts'

/** How much is accepted and how much of it runs at once. */
export interface AdmissionOptions {
  /** The longest estimated wait of a request that is accepted, in ms. */
  readonly mostWaitMs: number
  /** How many cheap and how many dear requests run at once. */
  readonly slots: Readonly<Record<Lane, number>>
  /** Milliseconds that never go back. */
  readonly now?: () => number
}

/** A request that was accepted. */
export interface Place {
  /** Resolves when its work may begin. */
  readonly turn: Promise<void>
  /**
   * Makes room. Later estimates follow from work that is done, and from what was given up late; it is left out for work that
   * failed, which says nothing of what such work takes. May be called again.
   */
  leave(isDone?: boolean): void
}

interface AdmissionLoad {
  readonly waiting: number
  readonly running: number
  /** Estimated ms of everything accepted that is not finished. */
  readonly backlogMs: number
}

type Lane = 'cheap' | 'dear'

interface Caller {
  readonly name: string
  places: number
  /** Estimated ms of what was begun for this caller, on a scale that all callers share; the lanes have one each, since they advance apart. */
  readonly served: Record<Lane, number>
  readonly waiting: Record<Lane, number>
}

interface Accepted {
  readonly caller: Caller
  readonly cost: number
  /** Among the requests of its caller, the one with the least is begun first. */
  readonly due: number
  readonly go: () => void
  /** Set once it is begun. */
  begun?: number
}

/** A request that takes longer is dear: few of these run at once, so that cheap ones never wait behind all of them. */
const DEAR_MS = 10
/** One that is cheap by its plan is dear only when it takes so many times as long: on a busy machine all would be now and then. */
const BUSY = 4
/** Of requests that cost the same, how many are accepted together; one caller alone gets half of it. */
const MOST_EQUALS = 128
/** Of cheap requests as many as take this time, in ms. */
const LEAST_LIMIT_MS = 200
/** Of callers who have nothing here it is remembered what so many were served, those who left last. */
const MOST_REMEMBERED = 1024
/** The most seconds after which to ask again: no answer may take longer, whatever it was taken for. */
const MOST_AGAIN_S = 60
/** Among the requests of one caller, a dear one counts as having come so many times its cost later than it did. */
const AGEING = 8

/**
 * Accepts requests as long as their estimated wait is short, and begins them in a fair order. Whoever waits for a request that is
 * cheaper or as dear waits for all of it, and for one that is dearer about as long as the own one takes; so `ahead` counts each with
 * the lesser of both costs. What a caller has accepted already counts twice, so that one caller leaves half of the room
 * to others, and two leave a third. Callers take turns by work, and of one caller the cheapest comes first until a dearer one has waited long.
 */
export class Admission {
  readonly #options: AdmissionOptions
  readonly #now: () => number
  readonly #costs = new Costs()
  readonly #shares: TimeShares
  readonly #callers = new Map<string, Caller>()
  /** Whoever comes back when its last request is done would be served each time before those who wait. */
  readonly #gone = new Map<string, Caller>()
  readonly #waiting: Record<Lane, Set<Accepted>> = { cheap: new Set(), dear: new Set() }
  readonly #running: Record<Lane, Set<Accepted>> = { cheap: new Set(), dear: new Set() }
  /** What the caller had been served whose request was begun last. */
  readonly #served: Record<Lane, number> = { cheap: 0, dear: 0 }
  /** The most that any caller was served. */
  readonly #most: Record<Lane, number> = { cheap: 0, dear: 0 }

  constructor(options: AdmissionOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
    this.#shares = new TimeShares(this.#now)
  }

  /** A place for the work of a caller, or the seconds after which to ask again. */
  ask(callerName: string, work: Work): Place | number {
    return (
      this.refused(callerName, work) ??
      this.#accept(this.#callerOf(callerName), work, this.#costs.estimate(work, callerName))
    )
  }

  /** The seconds after which to ask again for work that would get no place; undefined for work that would. */
  refused(callerName: string, work: Work): number | undefined {
    const cost = this.#costs.estimate(work, callerName)
    const { waitMs, ahead } = this.#ahead(callerName, cost)
    const { mostEquals = MOST_EQUALS } = work
    const limit = Math.min(2 * this.#options.mostWaitMs, Math.max(LEAST_LIMIT_MS, mostEquals * cost))
    return ahead < limit ? undefined : Math.min(MOST_AGAIN_S, Math.max(1, Math.ceil(waitMs / 1000)))
  }

  get hasWaiting(): boolean {
    return this.#waiting.cheap.size + this.#waiting.dear.size > 0
  }

  load(): AdmissionLoad {
    const count = ({ cheap, dear }: Record<Lane, Set<Accepted>>) => cheap.size + dear.size
    const { waitMs } = this.#ahead('', Number.POSITIVE_INFINITY)
    return { waiting: count(this.#waiting), running: count(this.#running), backlogMs: waitMs }
  }

  /** About how long work of such a cost would wait, and the same with what its caller has counted twice. */
  #ahead(callerName: string, cost: number): { waitMs: number; ahead: number } {
    let [waitMs, ahead] = [0, 0]
    for (const lane of [this.#waiting, this.#running])
      for (const places of [lane.cheap, lane.dear])
        for (const other of places) {
          const ms = Math.min(other.cost, cost)
          waitMs += ms
          ahead += ms * (other.caller.name === callerName ? 2 : 1)
        }
    return { waitMs, ahead }
  }

  #callerOf(name: string): Caller {
    const nothing = () => ({ cheap: 0, dear: 0 })
    const known = this.#callers.get(name) ?? this.#gone.get(name)
    const caller = known ?? { name, places: 0, served: nothing(), waiting: nothing() }
    this.#gone.delete(name)
    this.#callers.set(name, caller)
    caller.places += 1
    return caller
  }

  #accept(caller: Caller, work: Work, cost: number): Place {
    let go = () => {}
    const turn = new Promise<void>((resolve) => {
      go = resolve
    })
    const lane = cost > (work.ms > DEAR_MS ? DEAR_MS : BUSY * DEAR_MS) ? 'dear' : 'cheap'
    const accepted: Accepted = { caller, cost, due: this.#now() + AGEING * cost, go }
    // Whoever had nothing waiting saves no turns for later.
    if (caller.waiting[lane] === 0) caller.served[lane] = Math.max(caller.served[lane], this.#served[lane])
    this.#waiting[lane].add(accepted)
    caller.waiting[lane] += 1
    this.#beginNext(lane)
    let isOver = false
    return {
      turn,
      leave: (isDone) => {
        if (isOver) return
        isOver = true
        if (this.#waiting[lane].delete(accepted)) caller.waiting[lane] -= 1
        this.#running[lane].delete(accepted)
        caller.places -= 1
        if (caller.places === 0) this.#remember(caller)
        const tookMs = accepted.begun === undefined ? undefined : this.#shares.end(accepted.begun)
        if (tookMs !== undefined && isDone !== undefined) this.#costs.took(work, caller.name, tookMs, isDone)
        this.#beginNext(lane)
        // What was served while nobody else waited is no debt.
        if (this.#running[lane].size === 0) this.#served[lane] = this.#most[lane]
      },
    }
  }

  #remember(caller: Caller): void {
    this.#callers.delete(caller.name)
    this.#gone.set(caller.name, caller)
    const [oldest] = this.#gone.keys()
    if (this.#gone.size > MOST_REMEMBERED && oldest !== undefined) this.#gone.delete(oldest)
  }

  #beginNext(lane: Lane): void {
    while (this.#running[lane].size < this.#options.slots[lane]) {
      const next = this.#first(lane)
      if (next === undefined) return
      this.#waiting[lane].delete(next)
      this.#running[lane].add(next)
      next.caller.waiting[lane] -= 1
      this.#served[lane] = Math.max(this.#served[lane], next.caller.served[lane])
      next.caller.served[lane] += next.cost
      this.#most[lane] = Math.max(this.#most[lane], next.caller.served[lane])
      next.begun = this.#shares.begin()
      next.go()
    }
  }

  /** Of the caller who was served least, what is due first. */
  #first(lane: Lane): Accepted | undefined {
    let first: Accepted | undefined
    for (const place of this.#waiting[lane]) {
      const isBefore =
        first === undefined ||
        place.caller.served[lane] < first.caller.served[lane] ||
        (place.caller === first.caller && place.due < first.due)
      if (isBefore) first = place
    }
    return first
  }
}
