/** Work to be done: its kind, by which estimates are corrected, and how many ms it takes by its plan. */
export interface Work {
  readonly kind: string
  readonly ms: number
  /** How many of the same cost are accepted together, where that is less than usual. */
  readonly mostEquals?: number
}

/** How much a single answer moves the estimates of its kind. */
const WEIGHT = 1 / 16
/** An answer that took longer than so many times its estimate counts as if it had taken that: it may have waited for something else. */
const MOST_TIMES = 4
/** A kind is never taken for cheaper than this part of what its plan says: answers from memory are no measure for others. */
const LEAST_FACTOR = 1 / 8

/** Nor for dearer than so many times of it: what delays all answers for a while must not have them refused for long. */
const MOST_FACTOR = 64
/** Of how many kinds of how many callers the own factors are remembered, those of the last answers. */
const MOST_REMEMBERED = 4096

/**
 * Estimates what work takes: what its plan says, corrected by what the last answers of its kind took. These are those of its caller,
 * so that nobody has the work of others taken for dearer or cheaper than it is; and those of all for a caller who had none yet.
 */
export class Costs {
  readonly #factors = new Map<string, number>()
  readonly #own = new Map<string, number>()

  /** In ms of all of the server. */
  estimate({ kind, ms }: Work, caller: string): number {
    return ms * this.#factorOf(kind, caller)
  }

  /** What work has taken; work that was given up took at least that. */
  took({ kind, ms }: Work, caller: string, tookMs: number, isDone: boolean): void {
    const own = moved(this.#factorOf(kind, caller), tookMs / ms, isDone)
    this.#factors.set(kind, moved(this.#factors.get(kind) ?? 1, tookMs / ms, isDone))
    const key = ownKey(kind, caller)
    this.#own.delete(key)
    this.#own.set(key, own)
    const [oldest] = this.#own.keys()
    if (this.#own.size > MOST_REMEMBERED && oldest !== undefined) this.#own.delete(oldest)
  }

  #factorOf(kind: string, caller: string): number {
    return this.#own.get(ownKey(kind, caller)) ?? this.#factors.get(kind) ?? 1
  }
}

const ownKey = (kind: string, caller: string) => `${caller} ${kind}`

function moved(factor: number, times: number, isDone: boolean): number {
  const seen = Math.min(times, MOST_TIMES * factor)
  if (!isDone && seen < factor) return factor
  return Math.min(MOST_FACTOR, Math.max(LEAST_FACTOR, factor + (seen - factor) * WEIGHT))
}
