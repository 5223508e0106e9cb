/** Longest time that a response waits for others of its turn. */
const LONGEST_WAIT_MS = 1

/**
 * Sends the responses of one turn of the event loop together at its end. This wakes a client on the same machine once instead of
 * for each response. A single request gets its response at once.
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
    const replies = this.#waiting
    this.#waiting = []
    for (const send of replies) send()
  }
}
