/** Runs one commit at a time, while the next files are decoded. */
export class CommitQueue {
  #last: Promise<void> = Promise.resolve()

  /** Starts a commit after the previous one. Errors: those of the previous one. */
  async begin(commit: () => Promise<void>): Promise<void> {
    await this.#last
    this.#last = commit()
    // The next `begin` or `end` throws the error.
    this.#last.catch(() => {})
  }

  /** Waits for the last commit. Errors: those of that commit. */
  async end(): Promise<void> {
    await this.#last
  }
}
