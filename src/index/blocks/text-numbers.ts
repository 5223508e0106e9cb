import { writePartList } from './block-layout.ts'
import type { PartsWriter } from './container.ts'
import { TextPart } from './text-parts.ts'

/** So many different texts are known at a time; of more, some are written twice, which only takes room. */
const MOST_KNOWN = 500_000

/** Numbers the texts of a column as they come, and writes each when it is new. */
export class TextNumbers {
  readonly #writer: PartsWriter
  readonly #known = new Map<string, number>()
  readonly #part = new TextPart()
  readonly #parts: Parameters<typeof writePartList>[0][number][] = []
  #count = 0

  constructor(writer: PartsWriter) {
    this.#writer = writer
  }

  /** `text` has one character a byte. */
  numberOf(text: string): number {
    const existing = this.#known.get(text)
    if (existing !== undefined) return existing
    if (this.#known.size === MOST_KNOWN) this.#known.clear()
    const number = this.#count
    this.#known.set(text, number)
    this.#part.add(text)
    this.#count += 1
    if (this.#part.isFull) this.#finishPart()
    return number
  }

  /** Writes what has gathered, and the list of all parts. */
  finish(): ReturnType<PartsWriter['append']> {
    if (this.#part.count > 0) this.#finishPart()
    return this.#writer.append(writePartList(this.#parts))
  }

  #finishPart(): void {
    const first = this.#count - this.#part.count
    this.#parts.push({ ...this.#writer.append(this.#part.take()), first })
  }
}
