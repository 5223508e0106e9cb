/** Work of one request. */
export interface RequestWork {
  /** Estimates are corrected separately for each kind. */
  readonly kind: string
  /** Duration estimated from the plan. */
  readonly ms: number
  /** Most admitted requests of equal cost, if fewer than usual. */
  readonly mostEquals?: number
}

/** Weight of one measured duration in the estimate of its kind. */
const WEIGHT = 1 / 16
/** A longer duration counts as this multiple of its estimate: the request may have waited for something else. */
const MOST_TIMES = 4
/** Lower bound of a correction: responses from memory say nothing of others. */
const LEAST_FACTOR = 1 / 8
/** Upper bound of a correction: a short stall must not cause refusals for long. */
const MOST_FACTOR = 64
/** Most remembered corrections of one client and kind. */
const MOST_REMEMBERED = 4096

/**
 * Estimates durations: the plan's estimate times a factor learned from recent requests of the same kind and client.
 * New clients start with the factor of all clients; one client's slow requests do not make those of others costly.
 */
export class Costs {
  readonly #factors = new Map<string, number>()
  readonly #clientFactors = new Map<string, number>()

  /** Estimates the ms of server time. */
  estimate({ kind, ms }: RequestWork, client: string): number {
    return ms * this.#factorOf(kind, client)
  }

  /** Corrects the factors by a measured duration; cancelled work (`isDone` false) took at least `tookMs`. */
  learn({ kind, ms }: RequestWork, client: string, tookMs: number, isDone: boolean): void {
    const factor = corrected(this.#factorOf(kind, client), tookMs / ms, isDone)
    this.#factors.set(kind, corrected(this.#factors.get(kind) ?? 1, tookMs / ms, isDone))
    const key = keyOf(kind, client)
    this.#clientFactors.delete(key)
    this.#clientFactors.set(key, factor)
    const [oldest] = this.#clientFactors.keys()
    if (this.#clientFactors.size > MOST_REMEMBERED && oldest !== undefined) this.#clientFactors.delete(oldest)
  }

  #factorOf(kind: string, client: string): number {
    return this.#clientFactors.get(keyOf(kind, client)) ?? this.#factors.get(kind) ?? 1
  }
}

const keyOf = (kind: string, client: string) => `${client} ${kind}`

function corrected(factor: number, ratio: number, isDone: boolean): number {
  const bounded = Math.min(ratio, MOST_TIMES * factor)
  if (!isDone && bounded < factor) return factor
  return Math.min(MOST_FACTOR, Math.max(LEAST_FACTOR, factor + (bounded - factor) * WEIGHT))
}
