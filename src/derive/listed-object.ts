import { runAtOnce, type Steps } from '../slices.ts'
import { type Json, type JsonObject, Written, writeJson } from './json-writer.ts'

/** Items that are written before other requests have their turn: less than a millisecond. */
const ITEMS_AT_ONCE = 64

interface Listed {
  /** The members before the list. */
  readonly before: JsonObject
  readonly name: string
  readonly count: number
  itemAt(place: number): Json
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

  /** The JSON text in pieces; together they are what `writeJson` makes of the whole object. */
  *pieces(integersAsText: boolean): Generator<string, undefined, undefined> {
    const { before, name, after = {} } = this.#listed
    const head = writeJson({ ...before, [name]: [] }, integersAsText).slice(0, -2)
    const tail = writeJson(after, integersAsText).slice(1)
    yield head
    for (let first = 0; first < this.count; first += ITEMS_AT_ONCE) {
      const texts = this.items(first, first + ITEMS_AT_ONCE).map((item) => writeJson(item, integersAsText))
      yield `${first === 0 ? '' : ','}${texts.join(',')}`
    }
    yield tail === '}' ? ']}' : `],${tail}`
  }

  text(integersAsText: boolean): string {
    return runAtOnce(this.textSteps(integersAsText))
  }

  /** The same text in one piece, made in steps. */
  *textSteps(integersAsText: boolean): Steps<string> {
    let text = ''
    for (const piece of this.pieces(integersAsText)) {
      text += piece
      yield
    }
    return text
  }
}
