/** Opened resources; the last opened is closed first. */
export class CloseStack {
  readonly #closers: (() => unknown)[] = []

  /** Says how something that was just opened is closed. */
  add(close: () => unknown): void {
    this.#closers.push(close)
  }

  /** Closes all, each once, also when one cannot be closed. Errors: the first of them. */
  async close(): Promise<void> {
    const errors: unknown[] = []
    for (const close of this.#closers.splice(0).reverse()) {
      try {
        await close()
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 0) throw errors[0]
  }
}
