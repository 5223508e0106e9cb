import { refuse } from '../wire/postgres-error.ts'

/** Named things of a connection, of bounded number. */
export class Names<T> {
  readonly #what: string
  readonly #most: number
  readonly #entries = new Map<string, T>()

  constructor(what: string, most: number) {
    this.#what = what
    this.#most = most
  }

  /** Errors: 26000 or 34000, as `sqlstate` says. */
  get(name: string, sqlstate: string): T {
    const entry = this.#entries.get(name)
    return entry ?? refuse(sqlstate, `There is no ${this.#what} ${JSON.stringify(name)}.`)
  }

  /** Adds an entry; the unnamed one replaces the last. Errors: 42P05 or 42P03 if the name is taken; 53400. */
  add(name: string, entry: T, sqlstate: string): void {
    if (name !== '' && this.#entries.has(name))
      refuse(sqlstate, `There is a ${this.#what} ${JSON.stringify(name)} already; close it first.`)
    if (this.#entries.size >= this.#most)
      refuse('53400', `There are ${this.#most} of ${this.#what} already; close some of them.`)
    this.#entries.set(name, entry)
  }

  remove(name: string): T | undefined {
    const entry = this.#entries.get(name)
    this.#entries.delete(name)
    return entry
  }

  removeAll(): readonly T[] {
    const entries = [...this.#entries.values()]
    this.#entries.clear()
    return entries
  }
}
