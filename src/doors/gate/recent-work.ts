import type { RequestWork } from './costs.ts'

const REMEMBERED_MS = 1000
/** One in so many requests is read before it is refused: it may be cheaper. */
const SAMPLED = 64
/** Beyond it, all entries are dropped; their requests are read again. */
const MOST_REMEMBERED = 4096

interface Entry {
  work: RequestWork
  until: number
  unread: number
}

/** Remembers the cheapest recent work of each client and route, so that busy servers refuse requests without reading them. */
export class RecentWork {
  readonly #now: () => number
  readonly #entries = new Map<string, Entry>()

  constructor(now: () => number) {
    this.#now = now
  }

  note(client: string, route: string, work: RequestWork): void {
    const key = `${route} ${client}`
    const entry = this.#entries.get(key)
    const until = this.#now() + REMEMBERED_MS
    if (entry === undefined || this.#now() >= entry.until) {
      if (this.#entries.size >= MOST_REMEMBERED) this.#entries.clear()
      this.#entries.set(key, { work, until, unread: 0 })
    } else if (work.ms < entry.work.ms) Object.assign(entry, { work, until })
  }

  /** Returns the cheapest work to expect of the next request; undefined if the request has to be read. */
  expect(client: string, route: string): RequestWork | undefined {
    const entry = this.#entries.get(`${route} ${client}`)
    if (entry === undefined || this.#now() >= entry.until) return undefined
    entry.unread = (entry.unread + 1) % SAMPLED
    return entry.unread === 0 ? undefined : entry.work
  }
}
