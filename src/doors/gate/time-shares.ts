/**
 * What each of several jobs takes of the time that passes while they run side by side: at any moment an equal part. So the parts of
 * all jobs add up to the time in which any of them ran.
 */
export class TimeShares {
  readonly #now: () => number
  #running = 0
  /** What a job would have taken that ran all the time. */
  #each = 0
  #at = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** Counts a job in; what it gives is handed to `end`. */
  begin(): number {
    this.#pass()
    this.#running += 1
    return this.#each
  }

  /** Counts a job out, and gives its part in ms. */
  end(begun: number): number {
    this.#pass()
    this.#running -= 1
    return this.#each - begun
  }

  #pass(): void {
    const now = this.#now()
    if (this.#running > 0) this.#each += (now - this.#at) / this.#running
    this.#at = now
  }
}
