import type { TextRows } from '../../../answers/sql/sql-session.ts'
import { inBackground } from '../../../base/background.ts'

/** Characters that are read ahead of a client. */
const MOST_AHEAD = 2 ** 18

const sizeOf = (rows: TextRows) =>
  rows.reduce((sum, row) => row.reduce((size, value) => size + (value?.length ?? 0), sum), 0)

/** Rows of a running statement, which end early when its signal aborts. */
export class RowStream {
  readonly #rows: AsyncGenerator<TextRows>
  readonly #release: () => Promise<void>
  #chunk: TextRows = []
  #isOpen = true

  /** `release` gives the process back. */
  constructor(rows: AsyncGenerator<TextRows>, release: () => Promise<void>, signal: AbortSignal) {
    this.#rows = rows
    this.#release = release
    // A suspended portal must not keep its process.
    const end = () => void inBackground('closing a result', () => this.close())
    signal.addEventListener('abort', end, { once: true })
  }

  /** Reads further rows if none are left here. Returns false at the end. Errors: those of the statement. */
  async fill(): Promise<boolean> {
    while (this.#chunk.length === 0) {
      const { value, done } = await this.#rows.next()
      if (done === true) return false
      this.#chunk = value
    }
    return true
  }

  /** Returns at most `most` rows; undefined at the end. Errors: those of the statement. */
  async next(most: number): Promise<TextRows | undefined> {
    if (!(await this.fill())) return undefined
    const rows = this.#chunk.length <= most ? this.#chunk : this.#chunk.slice(0, most)
    this.#chunk = this.#chunk.slice(rows.length)
    return rows
  }

  /** Reads on up to about `most` rows, or 2^18 characters. Returns true if these are all, and the process is given back. */
  async readAhead(most: number): Promise<boolean> {
    while (this.#isOpen && this.#chunk.length < most && sizeOf(this.#chunk) < MOST_AHEAD) {
      const { value, done } = await this.#rows.next()
      if (done === true) await this.close()
      else this.#chunk = [...this.#chunk, ...value]
    }
    return !this.#isOpen
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return
    this.#isOpen = false
    await this.#rows.return(undefined).catch(() => {})
    await this.#release().catch(() => {})
  }
}
