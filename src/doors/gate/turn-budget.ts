/** Of one turn of the event loop so much goes to answers that are read at once; what comes later waits for its turn, or is refused. */
export const MOST_MS = 50

/** How much of the turn of the event loop that is under way was spent on reading answers. */
export class TurnBudget {
  #spentMs = 0
  #isCounting = false

  get hasRoom(): boolean {
    return this.#spentMs < MOST_MS
  }

  /** Gives what `read` gives. */
  spend<T>(read: () => T): T {
    const begun = performance.now()
    try {
      return read()
    } finally {
      this.#spentMs += performance.now() - begun
      if (!this.#isCounting) {
        this.#isCounting = true
        setImmediate(() => {
          this.#spentMs = 0
          this.#isCounting = false
        })
      }
    }
  }
}
