import type { Work } from './costs.ts'

/** How long the cheapest work of a caller and route counts as what is to be expected next. */
const REMEMBERED_MS = 1000
/** Of the requests of a caller to a route that could be refused unseen, one in so many is looked at: it may be cheaper. */
const LOOKED_AT = 64
/** With more all is forgotten: what is not remembered is looked at. */
const MOST_REMEMBERED = 4096

interface Remembered {
  work: Work
  until: number
  unseen: number
}

/** What may be refused without looking at it: requests of a caller to a route whose cheapest work of late would be refused. */
export class RefusedBefore {
  readonly #now: () => number
  readonly #of = new Map<string, Remembered>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Work that was asked for; where it was accepted, whatever is cheaper will be too. */
  note(caller: string, route: string, work: Work): void {
    const key = `${route} ${caller}`
    const known = this.#of.get(key)
    const until = this.#now() + REMEMBERED_MS
    if (known === undefined || this.#now() >= known.until) {
      if (this.#of.size >= MOST_REMEMBERED) this.#of.clear()
      this.#of.set(key, { work, until, unseen: 0 })
    } else if (work.ms < known.work.ms) Object.assign(known, { work, until })
  }

  /** The cheapest work that is to be expected of the next request; undefined where that has to be looked at. */
  expected(caller: string, route: string): Work | undefined {
    const known = this.#of.get(`${route} ${caller}`)
    if (known === undefined || this.#now() >= known.until) return undefined
    known.unseen = (known.unseen + 1) % LOOKED_AT
    return known.unseen === 0 ? undefined : known.work
  }
}
