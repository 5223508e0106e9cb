/** Longest time that an item waits for others of its turn. */
const LONGEST_WAIT_MS = 1

/** Handles the items of one turn of the event loop together, at its end. A single item of each turn is handled at once. */
export class TurnBatch<Item> {
  readonly #handle: (items: readonly Item[]) => void
  readonly #now: () => number
  readonly #later: (end: () => void) => void
  #waiting: Item[] = []
  #waitingSince = 0
  #ofTurn = 0
  #ofLastTurn = 0

  constructor(
    handle: (items: readonly Item[]) => void,
    now = () => performance.now(),
    later: (end: () => void) => void = setImmediate,
  ) {
    this.#handle = handle
    this.#now = now
    this.#later = later
  }

  add(item: Item): void {
    if (this.#ofTurn === 0) this.#later(() => this.#endTurn())
    this.#ofTurn += 1
    if (this.#waiting.length === 0) this.#waitingSince = this.#now()
    this.#waiting.push(item)
    const isAlone = this.#ofTurn === 1 && this.#ofLastTurn <= 1
    if (isAlone || this.#now() - this.#waitingSince > LONGEST_WAIT_MS) this.handleAll()
  }

  #endTurn(): void {
    this.#ofLastTurn = this.#ofTurn
    this.#ofTurn = 0
    this.handleAll()
  }

  /** Handles the items that are waiting. */
  handleAll(): void {
    if (this.#waiting.length === 0) return
    const items = this.#waiting
    this.#waiting = []
    this.#handle(items)
  }
}
