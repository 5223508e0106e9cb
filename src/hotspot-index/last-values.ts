import { type Memory, MOST_RECENT } from './block-rows.ts'
import { HeldToken } from './held-token.ts'

/** The last values of each column in the rows written so far, for each type of groups separately: `Memory` without bigints, used again for each hotspot. */
export class LastValues {
  /** Two halves for each place. */
  readonly #previous: Uint32Array
  /** Two halves, or a text, for each of the last four values of a place, newest first. */
  readonly #numbers: Uint32Array
  readonly #texts: (string | undefined)[]
  readonly #counts: Uint8Array

  constructor(places: number) {
    this.#previous = new Uint32Array(places * 2)
    this.#numbers = new Uint32Array(places * MOST_RECENT * 2)
    this.#texts = Array<undefined>(places * MOST_RECENT)
    this.#counts = new Uint8Array(places)
  }

  /** Begins anew, or where rows ended that were read. */
  begin(memory?: Memory): void {
    this.#previous.fill(0)
    this.#counts.fill(0)
    const token = new HeldToken()
    for (const [place, value] of memory?.previous.entries() ?? []) {
      if (value === undefined) continue
      token.set(value)
      this.#previous.set([token.low, token.high], place * 2)
    }
    for (const [place, tokens = []] of memory?.recent.entries() ?? [])
      for (const one of tokens.toReversed()) {
        token.set(one)
        this.moveToFront(place, token)
      }
  }

  /** Puts in place of a number its distance from the one before, as 64-bit numbers with the sign in the lowest bit. */
  step(place: number, token: HeldToken): void {
    const { low, high } = token
    const at = place * 2
    const [lowBefore, highBefore] = [this.#previous[at] as number, this.#previous[at + 1] as number]
    this.#previous[at] = low
    this.#previous[at + 1] = high
    token.setSigned(low - lowBefore, high - highBefore - (low < lowBefore ? 1 : 0))
  }

  /** Moves a token to the front, or adds it there; returns its place before, -1 when it is new. */
  moveToFront(place: number, token: HeldToken): number {
    const first = place * MOST_RECENT
    const count = this.#counts[place] as number
    let found = 0
    while (found < count && !this.#isAt(first + found, token)) found += 1
    if (found === count && count < MOST_RECENT) this.#counts[place] = count + 1
    const from = Math.min(found, MOST_RECENT - 1)
    for (let at = first + from; at > first; at -= 1) {
      this.#texts[at] = this.#texts[at - 1]
      this.#numbers.copyWithin(at * 2, at * 2 - 2, at * 2)
    }
    this.#texts[first] = token.text
    this.#numbers[first * 2] = token.low
    this.#numbers[first * 2 + 1] = token.high
    return found === count ? -1 : found
  }

  #isAt(at: number, { text, low, high }: HeldToken): boolean {
    if (this.#texts[at] !== text) return false
    return text !== undefined || (this.#numbers[at * 2] === low && this.#numbers[at * 2 + 1] === high)
  }
}
