/** Commits one after the other, each while the files of the next one are decoded. */
export class Commits {
  #last: Promise<void> = Promise.resolve()

  /** Begins a commit once the one before has ended. Errors: those of the one before. */
  async begin(commit: () => Promise<void>): Promise<void> {
    await this.#last
    this.#last = commit()
    // What goes wrong is thrown to whoever waits for it.
    this.#last.catch(() => {})
  }

  /** Waits for the last one. Errors: its errors. */
  async end(): Promise<void> {
    await this.#last
  }
}
