import { runAtOnce, type Steps } from '../../base/slices.ts'
import { type Json, type JsonObject, Written, writeJson } from '../../base/values/json-writer.ts'
import { PIECE_BYTES, TextBytes } from '../../base/values/text-bytes.ts'

/** Items that are written before other requests have their turn: less than a millisecond. */
const ITEMS_AT_ONCE = 64

const COMMA = Buffer.from(',')

/** Writes the item at a place. */
type WriteItem = (text: TextBytes, place: number) => void

interface Listed {
  /** The members before the list. */
  readonly before: JsonObject
  readonly name: string
  readonly count: number
  itemAt(place: number): Json
  /** Writes items without making them; the same text as `writeJson` makes of each. */
  readonly writer?: (integersAsText: boolean) => WriteItem
  /** The members behind the list. */
  readonly after?: JsonObject | undefined
}

/** An object with a long list, whose items are made while it is written. */
export class ListedObject extends Written {
  readonly #listed: Listed

  constructor(listed: Listed) {
    super()
    this.#listed = listed
  }

  get count(): number {
    return this.#listed.count
  }

  get object(): JsonObject {
    const { before, name, after } = this.#listed
    return { ...before, [name]: this.items(0, this.count), ...after }
  }

  /** The members other than the list. */
  get others(): JsonObject {
    return { ...this.#listed.before, ...this.#listed.after }
  }

  items(first: number, end: number): readonly Json[] {
    const last = Math.min(end, this.count)
    return Array.from({ length: Math.max(0, last - first) }, (_, place) => this.#listed.itemAt(first + place))
  }

  /** The JSON text in pieces of 64 KiB, the last one shorter; together they are what `writeJson` makes of the whole object. */
  *pieces(integersAsText: boolean): Generator<Uint8Array, undefined, undefined> {
    const text = new TextBytes()
    for (const _ of this.#write(text, integersAsText)) while (text.length >= PIECE_BYTES) yield text.take()
    while (text.length > 0) yield text.take()
  }

  text(integersAsText: boolean): string {
    return runAtOnce(this.textSteps(integersAsText))
  }

  /** The same text in one piece, made in steps. */
  *textSteps(integersAsText: boolean): Steps<string> {
    const text = new TextBytes()
    yield* this.#write(text, integersAsText)
    return text.toString()
  }

  *#write(text: TextBytes, integersAsText: boolean): Steps<void> {
    const { before, name, after = {}, writer } = this.#listed
    const writeItem: WriteItem =
      writer?.(integersAsText) ??
      ((items, place) => items.text(writeJson(this.#listed.itemAt(place), integersAsText)))
    text.text(writeJson({ ...before, [name]: [] }, integersAsText).slice(0, -2))
    for (let place = 0; place < this.count; place += 1) {
      if (place > 0) text.utf8(COMMA)
      writeItem(text, place)
      if (place % ITEMS_AT_ONCE === 0) yield
    }
    const tail = writeJson(after, integersAsText).slice(1)
    text.text(tail === '}' ? ']}' : `],${tail}`)
    yield
  }
}
