import { getOrMake } from '../../base/maps.ts'
import { runInSlices } from '../../base/slices.ts'
import { spellingsOf } from '../../base/values/plain-name.ts'
import { hotspots } from '../../catalog/l2/hotspots.ts'
import type { Row } from '../../catalog/resource.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Snapshot, TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import { type NameWords, numberWords } from './name-words.ts'

/** One word in the case of a name, or several words. Keys mix cases and have digits. */
const MAY_BE_WORDS = /^(\p{L}\p{Ll}{2,}|\p{Lu}{3,}|[\p{L}\d]+([\s_-]+[\p{L}\d]+)+)[\s_-]*$/u
const MOST_LETTERS = 60

/** Returns true if a text may be words of a name. */
export function mayBeWords(text: string): boolean {
  return text.length <= MOST_LETTERS && MAY_BE_WORDS.test(text.trim())
}

/** Returns rows of hotspots whose names have the words of a text, or words with one other letter; at most about `limit`. */
export type FindSimilar = (
  text: string,
  columns: readonly string[],
  limit: number,
  at: Snapshot,
  signal?: AbortSignal,
) => Promise<readonly Row[]>

export function openSimilarNames(engine: Engine): FindSimilar {
  const words = new WeakMap<TableSnapshot, Promise<NameWords>>()

  // Other requests share the words, so one abort must not cancel them.
  async function readWords(at: Snapshot): Promise<NameWords> {
    const limit = at.table(hotspots).rows
    const rows = await engine.rows({ resource: hotspots, where: [], columns: ['name'], limit, offset: 0 }, at)
    return await runInSlices(numberWords(rows.map((row) => String(row.name))))
  }

  return async (text, columns, limit, at, signal) => {
    const table = at.table(hotspots)
    if (table.rows === 0) return []
    const reading = getOrMake(words, table, () => readWords(at))
    reading.catch(() => words.delete(table))
    const names = await runInSlices((await reading).find(text, limit), signal)
    if (names.length === 0) return []
    const spellings = names.flatMap(spellingsOf)
    const where = [{ column: 'name', match: 'anyOf', value: spellings } as const]
    return await engine.rows({ resource: hotspots, where, columns, limit, offset: 0 }, at, signal)
  }
}
