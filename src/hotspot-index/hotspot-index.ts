import type { KeyedReader } from '../lake/keyed-reader.ts'
import type { OpenWriter } from '../lake/open-writer.ts'
import type { Snapshot, TableSnapshot } from '../lake/snapshot.ts'
import { type Derived, WORTHWHILE_ROWS } from '../maintenance/derived.ts'
import { ALL_GROUPS, type GroupRange } from '../query/group-range.ts'
import { buildHotspotIndex } from './build-index.ts'
import { type GroupSums, type Summed, sumGroups } from './group-sums.ts'
import { gatherRows, type KeyedRows } from './keyed-rows.ts'
import { LoadedSegments } from './loaded-segments.ts'
import { type Opened, sumYear, type VisitRow } from './opened.ts'
import { DamagedSegment } from './segment.ts'
import { segmentFiles } from './segment-files.ts'

export interface HotspotIndex extends Derived {
  /**
   * Exact sums of columns over the rows of one key. Undefined when no loaded segment has all the rows of the range: then
   * the data files have to be read.
   */
  sums(
    table: TableSnapshot,
    key: string,
    range: GroupRange,
    columns: readonly string[],
    visit?: VisitRow,
  ): Readonly<Record<string, bigint>> | undefined
  /** Exact sums over the rows of some keys, by the groups of the table. Undefined as with `sums`. */
  groupSums(
    table: TableSnapshot,
    keys: Iterable<string>,
    range: GroupRange,
    summed: readonly Summed[],
  ): readonly GroupSums[] | undefined
  /** The rows of one key with all their columns. Undefined as with `sums`. */
  rows(table: TableSnapshot, key: string, range: GroupRange): KeyedRows | undefined
  /** Whether a key has rows, whatever their period. Undefined when that takes the data files. */
  has(table: TableSnapshot, key: string): boolean | undefined
  /** Whether segments were made of all the sources that a range needs. */
  knows(table: TableSnapshot, range: GroupRange): boolean
  close(): void
}

/** `stateFolder` may be missing: then the index answers nothing. Tables of fewer than `worthwhileRows` are not indexed. */
export function openHotspotIndex(
  stateFolder: string,
  openWriter: OpenWriter<KeyedReader>,
  worthwhileRows = WORTHWHILE_ROWS,
): HotspotIndex {
  const loaded = new LoadedSegments(stateFolder)
  const keyed = ({ tables }: Snapshot) => tables.filter(({ resource }) => resource.keyed !== undefined)
  const indexed = (at: Snapshot) => keyed(at).filter(({ rows }) => rows >= worthwhileRows)
  const lackingOf = (at: Snapshot) => indexed(at).filter((table) => !loaded.isComplete(table))

  async function load(at: Snapshot): Promise<readonly TableSnapshot[]> {
    for (const table of indexed(at)) await loaded.load(table)
    return lackingOf(at)
  }

  /** A damaged segment is forgotten, and the data files are read in its place. */
  function ask<T>(
    table: TableSnapshot,
    range: GroupRange,
    answer: (segments: readonly Opened[]) => T,
  ): T | undefined {
    const segments = loaded.of(table, range)
    if (segments === undefined) return undefined
    try {
      return answer(segments)
    } catch (error) {
      if (!(error instanceof DamagedSegment)) throw error
      for (const one of segments) if (one.segment.path === error.path) loaded.forget(one)
      return undefined
    }
  }

  return {
    name: 'hotspot index',
    speedsUp: 'lists and totals of one hotspot',
    sums(table, key, range, columns, visit) {
      return ask(table, range, (segments) => {
        const sums: Record<string, bigint> = {}
        for (const column of columns) sums[column] = 0n
        for (const one of segments) sumYear(one, key, range, sums, visit)
        return sums
      })
    },
    groupSums: (table, keys, range, summed) =>
      ask(table, range, (segments) => sumGroups(segments, keys, range, summed)),
    has: (table, key) =>
      loaded.isComplete(table)
        ? ask(table, ALL_GROUPS, (segments) =>
            segments.some(({ segment }) => segment.rowsOf(key) !== undefined),
          )
        : undefined,
    knows: (table, range) => loaded.of(table, range) !== undefined,
    rows: (table, key, range) => ask(table, range, (segments) => gatherRows(segments, key, range)),
    load,
    lacks: (at) => lackingOf(at).length > 0,
    build: async (at, options) =>
      await buildHotspotIndex(await load(at), { ...options, stateFolder, openWriter }),
    async forget(table) {
      for (const one of loaded.ofTable(table)) loaded.forget(one)
    },
    files: (at) => segmentFiles(stateFolder, keyed(at)),
    close: () => loaded.close(),
  }
}
