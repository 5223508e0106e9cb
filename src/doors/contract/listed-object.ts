import { runAtOnce, type Steps } from '../../base/slices.ts'
import { type Json, type JsonObject, Written, writeJson } from '../../base/values/json-writer.ts'
import { PIECE_BYTES, TextBytes } from '../../base/values/text-bytes.ts'

/** Items per slice; less than a millisecond. */
const ITEMS_AT_ONCE = 64

const COMMA = Buffer.from(',')

/** Writes the item at an index. */
export type WriteItem = (text: TextBytes, index: number) => void

interface ListSource {
  readonly before: JsonObject
  readonly name: string
  readonly count: number
  itemAt(index: number): Json
  /** Writes items directly; the text equals that of `writeJson`. */
  readonly writer?: (integersAsText: boolean) => WriteItem
  readonly after?: JsonObject | undefined
  /** Makes a file of lines: the first line, and lines with their ends. Only `text` and `pieces` give it. */
  readonly lines?: { readonly type: string; readonly head: string; readonly writeLine: WriteItem } | undefined
}

/** An object with a long list whose items are created while writing. */
export class ListedObject extends Written {
  readonly #listed: ListSource

  constructor(listed: ListSource) {
    super()
    this.#listed = listed
  }

  get count(): number {
    return this.#listed.count
  }

  /** Media type of a file; undefined for JSON. */
  get fileType(): string | undefined {
    return this.#listed.lines?.type
  }

  get object(): JsonObject {
    const { before, name, after } = this.#listed
    return { ...before, [name]: this.items(0, this.count), ...after }
  }

  get outerMembers(): JsonObject {
    return { ...this.#listed.before, ...this.#listed.after }
  }

  items(first: number, end: number): readonly Json[] {
    const last = Math.min(end, this.count)
    return Array.from({ length: Math.max(0, last - first) }, (_, index) => this.#listed.itemAt(first + index))
  }

  /** Yields the JSON text in pieces of 64 KiB; the last one is shorter. Together they equal `writeJson` of the object. */
  *pieces(integersAsText: boolean): Generator<Uint8Array, undefined, undefined> {
    const text = new TextBytes()
    for (const _ of this.#write(text, integersAsText)) while (text.length >= PIECE_BYTES) yield text.take()
    while (text.length > 0) yield text.take()
  }

  text(integersAsText: boolean): string {
    return runAtOnce(this.textSteps(integersAsText))
  }

  /** Writes the text in one piece, in steps. */
  *textSteps(integersAsText: boolean): Steps<string> {
    const text = new TextBytes()
    yield* this.#write(text, integersAsText)
    return text.toString()
  }

  *#write(text: TextBytes, integersAsText: boolean): Steps<void> {
    const { before, name, after = {}, writer, lines } = this.#listed
    if (lines !== undefined) {
      text.text(lines.head)
      yield* this.#writeItems(text, lines.writeLine)
      return
    }
    const writeItem: WriteItem =
      writer?.(integersAsText) ??
      ((items, index) => items.text(writeJson(this.#listed.itemAt(index), integersAsText)))
    text.text(writeJson({ ...before, [name]: [] }, integersAsText).slice(0, -2))
    yield* this.#writeItems(text, (items, index) => {
      if (index > 0) items.utf8(COMMA)
      writeItem(items, index)
    })
    const tail = writeJson(after, integersAsText).slice(1)
    text.text(tail === '}' ? ']}' : `],${tail}`)
    yield
  }

  *#writeItems(text: TextBytes, writeItem: WriteItem): Steps<void> {
    for (let index = 0; index < this.count; index += 1) {
      writeItem(text, index)
      if (index % ITEMS_AT_ONCE === 0) yield
    }
  }
}
