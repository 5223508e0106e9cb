/** Divides elapsed time equally among the jobs that run at each moment. The shares add up to the time in which any job ran. */
export class TimeShares {
  readonly #now: () => number
  #running = 0
  /** Share of a job that has run since the start, in ms. */
  #share = 0
  #lastMs = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** Starts a job. Pass the result to `end`. */
  begin(): number {
    this.#advance()
    this.#running += 1
    return this.#share
  }

  /** Ends a job and returns its share in ms. */
  end(begun: number): number {
    this.#advance()
    this.#running -= 1
    return this.#share - begun
  }

  #advance(): void {
    const now = this.#now()
    if (this.#running > 0) this.#share += (now - this.#lastMs) / this.#running
    this.#lastMs = now
  }
}
