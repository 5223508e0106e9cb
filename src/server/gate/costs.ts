/** Work to be done: its kind, by which estimates are corrected, and how many ms it takes by its plan. */
export interface Work {
  readonly kind: string
  readonly ms: number
}

/** How much a single answer moves the estimates of its kind. */
const WEIGHT = 1 / 16
/** An answer that took longer than so many times its estimate counts as if it had taken that: it may have waited for something else. */
const MOST_TIMES = 4
/** A kind is never taken for cheaper than this part of what its plan says: answers from memory are no measure for others. */
const LEAST_FACTOR = 1 / 8

/** Estimates what work takes: what its plan says, corrected by what the last answers of its kind took. */
export class Costs {
  readonly #factors = new Map<string, number>()

  /** In ms of all of the server. */
  estimate({ kind, ms }: Work): number {
    return ms * (this.#factors.get(kind) ?? 1)
  }

  /** What work has taken; work that was given up took at least that. */
  took({ kind, ms }: Work, tookMs: number, isDone: boolean): void {
    const factor = this.#factors.get(kind) ?? 1
    const seen = Math.min(tookMs / ms, MOST_TIMES * factor)
    if (!isDone && seen < factor) return
    this.#factors.set(kind, Math.max(LEAST_FACTOR, factor + (seen - factor) * WEIGHT))
  }
}
