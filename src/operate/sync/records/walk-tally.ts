import { createHash } from 'node:crypto'
import { isObject, type Json, writeJson } from '../../../base/values/json-writer.ts'
import type { FetchedPage } from './walk-log.ts'

/**
 * How sure it is that a list was seen whole. `snapshot`: all its pages are of one snapshot. `counted`: one walk had as many
 * different records as the service counts. `settled`: the last walk brought no record that was new. `unsettled`: it did.
 */
export type Certainty = 'snapshot' | 'counted' | 'settled' | 'unsettled'

interface Walk {
  readonly walk: number
  readonly first: FetchedPage
  readonly last: FetchedPage
  readonly records: number
  readonly different: number
  /** Records that no walk before had. */
  readonly added: number
  /** Records that the walk before had too. */
  readonly kept: number
  /** Whether snapshot, pages and count stayed as they were on its first page. */
  readonly isSteady: boolean
  /** Pages at its end that brought nothing that it did not have. */
  readonly repeating: number
}

/** More than there are walks. */
const WALKS = 8

const nothing = { records: 0, different: 0, added: 0, kept: 0, isSteady: true, repeating: 0 }

/** The results of walks through a list: their number, and the position of each record's newest text. */
export class WalkTally {
  readonly #keyMember: string
  /** Of the newest record of each key: its place among all that came, and its walk, in one number to save memory. */
  readonly #places = new Map<string, number>()
  #ordinal = 0
  #walk: Walk | undefined
  #before: Walk | undefined
  pages = 0

  constructor(keyMember: string) {
    this.#keyMember = keyMember
  }

  get walk(): Walk | undefined {
    return this.#walk
  }

  /** Different records of all walks. */
  get different(): number {
    return this.#places.size
  }

  add(page: FetchedPage): void {
    if (this.#walk !== undefined && page.walk !== this.#walk.walk) {
      this.#before = this.#walk
      this.#walk = undefined
    }
    const { walk } = page
    const so = this.#walk ?? { ...nothing, first: page }
    let [different, added, kept] = [0, 0, 0]
    for (const record of page.records) {
      const key = keyOf(record, this.#keyMember)
      const before = (this.#places.get(key) ?? 0) % WALKS
      if (before === 0) added += 1
      if (before !== walk) different += 1
      if (before !== 0 && before === walk - 1) kept += 1
      this.#places.set(key, this.#ordinal * WALKS + walk)
      this.#ordinal += 1
    }
    const { first } = so
    const isSame =
      page.snapshot === first.snapshot && page.total === first.total && page.totalPages === first.totalPages
    const isRepeating = different === 0 && page.records.length > 0
    this.pages += 1
    this.#walk = {
      ...{ walk, first, last: page, records: so.records + page.records.length, added: so.added + added },
      ...{ different: so.different + different, kept: so.kept + kept, isSteady: so.isSteady && isSame },
      repeating: isRepeating ? so.repeating + 1 : 0,
    }
  }

  /** Of a walk that has ended. */
  get certainty(): Certainty {
    const walk = this.#walk
    if (walk === undefined) return 'unsettled'
    if (walk.isSteady && walk.first.snapshot !== null) return 'snapshot'
    if (isCounted(walk)) return 'counted'
    return walk.walk > 1 && walk.added === 0 ? 'settled' : 'unsettled'
  }

  /** Whether the last walk is known to have every record of the list and no other. */
  get isWhole(): boolean {
    const [walk, before] = [this.#walk, this.#before]
    if (this.certainty === 'snapshot') return true
    if (walk === undefined || before === undefined || !isCounted(walk) || !isCounted(before)) return false
    return walk.different === before.different && walk.kept === walk.different
  }

  /** By the place of a record in the order in which all came: whether it is the newest of its key, and of which walk. */
  newestIn(record: Json, ordinal: number): number | undefined {
    const position = this.#places.get(keyOf(record, this.#keyMember))
    return position !== undefined && Math.floor(position / WALKS) === ordinal ? position % WALKS : undefined
  }
}

/** Records were counted by the service and are as many, or none came twice and the number of pages stayed. */
function isCounted({ isSteady, records, different, first }: Walk): boolean {
  return isSteady && records === different && (first.total === null || first.total === different)
}

/** The key of a record, or its text if it has none. */
function keyOf(record: Json, member: string): string {
  const key = isObject(record) && Object.hasOwn(record, member) ? record[member] : undefined
  // A copy: a text that was cut out of a page would hold all of it.
  if (typeof key === 'string') return Buffer.from(key).toString()
  return createHash('sha256').update(writeJson(record)).digest('base64')
}
