import { refuseLongName } from '../statements/long-name.ts'
import { refuse } from '../wire/postgres-error.ts'

/** Characters that the entries of one kind may have together. */
const MOST_CHARACTERS = 2 ** 23

/** Named things of a connection, of bounded number and size. */
export class Names<T> {
  readonly #what: string
  readonly #most: number
  readonly #sizeOf: (entry: T) => number
  readonly #entries = new Map<string, T>()

  constructor(what: string, most: number, sizeOf: (entry: T) => number) {
    this.#what = what
    this.#most = most
    this.#sizeOf = sizeOf
  }

  /** Errors: 26000 or 34000, as `sqlstate` says. */
  get(name: string, sqlstate: string): T {
    const entry = this.#entries.get(name)
    return entry ?? refuse(sqlstate, `There is no ${this.#what} ${JSON.stringify(name)}.`)
  }

  /** Adds an entry; the unnamed one replaces the last. Errors: 42P05 or 42P03 if the name is taken; 53400, 42622. */
  add(name: string, entry: T, sqlstate: string): void {
    if (name !== '' && this.#entries.has(name))
      refuse(sqlstate, `There is a ${this.#what} ${JSON.stringify(name)} already; close it first.`)
    if (this.#entries.size >= this.#most)
      refuse('53400', `There are ${this.#most} of ${this.#what} already; close some of them.`)
    refuseLongName(name)
    const size = [entry, ...this.#entries.values()].reduce((sum, one) => sum + this.#sizeOf(one), 0)
    if (size > MOST_CHARACTERS)
      refuse(
        '53400',
        `The ${this.#what}s here are longer than ${MOST_CHARACTERS} characters; close some of them.`,
      )
    this.#entries.set(name, entry)
  }

  remove(name: string): T | undefined {
    const entry = this.#entries.get(name)
    this.#entries.delete(name)
    return entry
  }

  all(): readonly T[] {
    return [...this.#entries.values()]
  }

  /** Removes all entries but those to keep, and returns them. */
  removeAll(isKept: (entry: T) => boolean = () => false): readonly T[] {
    const removed = [...this.#entries].filter(([, entry]) => !isKept(entry))
    for (const [name] of removed) this.#entries.delete(name)
    return removed.map(([, entry]) => entry)
  }
}
