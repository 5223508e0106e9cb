import { createHash } from 'node:crypto'
import { isObject, type Json, writeJson } from '../../../base/values/json-writer.ts'
import type { FetchedPage } from './walk-log.ts'

/**
 * Evidence that a walk saw the whole list. `snapshot`: all its pages are of one snapshot. `counted`: it had as many
 * different records as the service counts. `settled`: it found no new record. `unsettled`: it found new ones.
 */
export type Certainty = 'snapshot' | 'counted' | 'settled' | 'unsettled'

interface Walk {
  readonly walk: number
  readonly first: FetchedPage
  readonly last: FetchedPage
  readonly records: number
  readonly different: number
  /** Records that no earlier walk had. */
  readonly added: number
  /** Records that the previous walk had too. */
  readonly kept: number
  /** True if snapshot, number of pages and count stayed the same. */
  readonly isSteady: boolean
  /** Number of last pages without a record new to this walk. */
  readonly repeating: number
}

/** Larger than any walk number. */
const WALKS = 8

const nothing = { records: 0, different: 0, added: 0, kept: 0, isSteady: true, repeating: 0 }

/** Counts the records of walks through a list, and remembers the newest position of each record. */
export class WalkTally {
  readonly #keyMember: string
  /** By key, the position and the walk of the newest record, in one number to save memory. */
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

  /** Number of different records in all walks. */
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

  /** Certainty of the last walk, which must be complete. */
  get certainty(): Certainty {
    const walk = this.#walk
    if (walk === undefined) return 'unsettled'
    if (walk.isSteady && walk.first.snapshot !== null) return 'snapshot'
    if (isCounted(walk)) return 'counted'
    return walk.walk > 1 && walk.added === 0 ? 'settled' : 'unsettled'
  }

  /** True if the last walk is known to have exactly the records of the list. */
  get isWhole(): boolean {
    const [walk, before] = [this.#walk, this.#before]
    if (this.certainty === 'snapshot') return true
    if (walk === undefined || before === undefined || !isCounted(walk) || !isCounted(before)) return false
    return walk.different === before.different && walk.kept === walk.different
  }

  /** Returns the walk of a record if the record at this position is the newest of its key, otherwise undefined. */
  newestIn(record: Json, ordinal: number): number | undefined {
    const position = this.#places.get(keyOf(record, this.#keyMember))
    return position !== undefined && Math.floor(position / WALKS) === ordinal ? position % WALKS : undefined
  }
}

/**
 * Returns true if the service's count equals the number of different records; without a count, if no record came twice
 * and the number of pages stayed the same.
 */
function isCounted({ isSteady, records, different, first }: Walk): boolean {
  return isSteady && records === different && (first.total === null || first.total === different)
}

/** Returns the key of a record, or a digest of its text if it has no key. */
function keyOf(record: Json, member: string): string {
  const key = isObject(record) && Object.hasOwn(record, member) ? record[member] : undefined
  // Copy the key: a substring would keep the text of the whole page in memory.
  if (typeof key === 'string') return Buffer.from(key).toString()
  return createHash('sha256').update(writeJson(record)).digest('base64')
}
