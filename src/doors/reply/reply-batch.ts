/** A reply that is ready waits no longer for others of its turn. */
const LONGEST_WAIT_MS = 1

/**
 * Sends the replies of one turn of the event loop together at its end: callers on the same machine are woken once for all of them instead of
 * for each, which costs as much as an answer. Who asks alone is answered at once.
 */
export class ReplyBatch {
  readonly #now: () => number
  readonly #later: (send: () => void) => void
  #waiting: (() => void)[] = []
  #waitingSince = 0
  #ofTurn = 0
  #ofLastTurn = 0

  constructor(now = () => performance.now(), later: (send: () => void) => void = setImmediate) {
    this.#now = now
    this.#later = later
  }

  send(reply: () => void): void {
    if (this.#ofTurn === 0) this.#later(() => this.#endTurn())
    this.#ofTurn += 1
    if (this.#waiting.length === 0) this.#waitingSince = this.#now()
    this.#waiting.push(reply)
    const isAlone = this.#ofTurn === 1 && this.#ofLastTurn <= 1
    if (isAlone || this.#now() - this.#waitingSince > LONGEST_WAIT_MS) this.#sendAll()
  }

  #endTurn(): void {
    this.#ofLastTurn = this.#ofTurn
    this.#ofTurn = 0
    this.#sendAll()
  }

  #sendAll(): void {
    const all = this.#waiting
    this.#waiting = []
    for (const reply of all) reply()
  }
}
