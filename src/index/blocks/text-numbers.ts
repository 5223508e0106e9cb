import { type ListedPart, writePartList } from './block-layout.ts'
import type { FilePart, PartsWriter } from './container.ts'
import { TextPart } from './text-parts.ts'

/** Limit of texts in the map. Beyond it, some texts are written twice. */
const MOST_NUMBERED = 500_000

/** Numbers the texts of a column by first occurrence, and writes each new text. */
export class TextNumbers {
  readonly #writer: PartsWriter
  readonly #numbers = new Map<string, number>()
  readonly #part = new TextPart()
  readonly #parts: ListedPart[] = []
  #count = 0

  constructor(writer: PartsWriter) {
    this.#writer = writer
  }

  /** Returns the number of a text, which has one character per byte. */
  numberOf(text: string): number {
    const existing = this.#numbers.get(text)
    if (existing !== undefined) return existing
    if (this.#numbers.size === MOST_NUMBERED) this.#numbers.clear()
    const number = this.#count
    this.#numbers.set(text, number)
    this.#part.add(text)
    this.#count += 1
    if (this.#part.isFull) this.#finishPart()
    return number
  }

  /** Writes the last part and the part list. */
  finish(): FilePart {
    if (this.#part.count > 0) this.#finishPart()
    return this.#writer.append(writePartList(this.#parts))
  }

  #finishPart(): void {
    const first = this.#count - this.#part.count
    this.#parts.push({ ...this.#writer.append(this.#part.take()), first })
  }
}
