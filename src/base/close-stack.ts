/** Closes resources in reverse order of opening. */
export class CloseStack {
  readonly #closers: (() => unknown)[] = []

  /** Adds the function that closes a resource. */
  add(close: () => unknown): void {
    this.#closers.push(close)
  }

  /** Closes everything once, even if one fails. Errors: the first one. */
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
