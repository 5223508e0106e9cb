const TURN_BUDGET_MS = 50

/** Measures the time of synchronous reads in the current turn of the event loop. Beyond the budget, requests are queued. */
export class TurnBudget {
  #spentMs = 0
  #isCounting = false

  get hasRoom(): boolean {
    return this.#spentMs < TURN_BUDGET_MS
  }

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
