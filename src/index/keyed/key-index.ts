import { runInSlices } from '../../base/slices.ts'
import { ALL_GROUPS, type GroupRange } from '../../catalog/query/group-range.ts'
import type { FileRowsReader } from '../../lake/ports/file-rows-reader.ts'
import type { OpenWriter } from '../../lake/ports/open-writer.ts'
import type { Snapshot, TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import { BlockCache } from '../blocks/block-cache.ts'
import { type Derived, WORTHWHILE_ROWS } from '../maintenance/derived.ts'
import { buildKeyFiles } from './build/build-key-files.ts'
import { choosePlanes, type TokenOf } from './choose-planes.ts'
import type { Covering } from './cover.ts'
import { gatherPlanes } from './gather-planes.ts'
import { GroupSums, type GroupSumsQuery, type VisitSums } from './group-sums.ts'
import { digestOfKey } from './key-order.ts'
import { type RowsOfKey, rowsOfKey } from './key-rows.ts'
import { sumKey, type VisitRow } from './key-sums.ts'
import { type Earned, listEarned } from './list-earned.ts'
import { listKeyFiles } from './list-key-files.ts'
import { LoadedKeys } from './loaded-keys.ts'

/** The rows of tables by key, and the earnings of each key. */
export interface KeyIndex extends Derived {
  /**
   * Exact sums of columns over the rows of one key. Undefined if the index lacks rows of the range: then the
   * data files must be read.
   */
  sums(
    table: TableSnapshot,
    key: string,
    range: GroupRange,
    columns: readonly string[],
    visit?: VisitRow,
  ): Readonly<Record<string, bigint>> | undefined
  /**
   * Exact sums over the rows of keys, by group. Returns the keys with rows in the range; undefined, without a visit, as with `sums`.
   */
  groupSums(
    table: TableSnapshot,
    keys: readonly string[],
    query: GroupSumsQuery,
    visit: VisitSums,
  ): readonly string[] | undefined
  /** The rows of one key with all columns. Undefined as with `sums`. */
  rows(table: TableSnapshot, key: string, range: GroupRange): RowsOfKey | undefined
  /** Returns whether a key has rows in any period. Undefined if the data files must be read. */
  has(table: TableSnapshot, key: string): boolean | undefined
  /** Returns whether files have all rows of a range. */
  covers(table: TableSnapshot, range: GroupRange): boolean
  /**
   * The `limit` hotspots with the highest earnings of each token in a range, ties by the bytes of keys; without a limit all hotspots,
   * unordered. Undefined as with `sums`, and if a period and type has several tokens.
   */
  earned(
    table: TableSnapshot,
    range: GroupRange,
    tokenOf: TokenOf,
    limit: number | undefined,
    signal?: AbortSignal,
  ): Promise<readonly Earned[] | undefined>
  /** Returns whether `earned` can be computed. */
  coversEarned(table: TableSnapshot, range: GroupRange): boolean
  close(): void
}

const CACHE_BYTES = 2 ** 24

/** `stateFolder` may be missing. Tables of fewer than `worthwhileRows` rows are not indexed. */
export function openKeyIndex(
  stateFolder: string,
  openWriter: OpenWriter<FileRowsReader>,
  worthwhileRows = WORTHWHILE_ROWS,
): KeyIndex {
  const loaded = new LoadedKeys(stateFolder, new BlockCache(CACHE_BYTES))
  const groupSums = new WeakMap<GroupSumsQuery, GroupSums>()
  const keyedTables = ({ tables }: Snapshot) => tables.filter(({ resource }) => resource.keyed !== undefined)
  const indexedTables = (at: Snapshot) => keyedTables(at).filter(({ rows }) => rows >= worthwhileRows)
  const missingTables = (at: Snapshot) => indexedTables(at).filter((table) => !loaded.isComplete(table))

  async function load(at: Snapshot): Promise<readonly TableSnapshot[]> {
    await loaded.loadTables(indexedTables(at))
    return missingTables(at)
  }

  function readCoverings<T>(
    table: TableSnapshot,
    range: GroupRange,
    read: (coverings: readonly Covering[]) => T,
  ): T | undefined {
    const coverings = loaded.coveringsOf(table, range)
    return coverings && loaded.attempt(() => read(coverings))
  }

  return {
    name: 'index by hotspot',
    speedsUp: 'lists, totals and series of hotspots',
    sums(table, key, range, columns, visit) {
      return readCoverings(table, range, (coverings) => {
        const columnSums = sumKey(coverings, key, range, columns, visit)
        const sums: Record<string, bigint> = {}
        for (const [index, column] of columns.entries()) sums[column] = columnSums[index] ?? 0n
        return sums
      })
    },
    groupSums: (table, keys, query, visit) =>
      readCoverings(table, query.range, (coverings) => {
        const cached = groupSums.get(query)
        const sums = cached?.hasCoverings(coverings) ? cached : new GroupSums(coverings, query)
        // An error leaves partial sums, which must not be read again.
        groupSums.delete(query)
        const withRows = sums.read(keys, visit)
        groupSums.set(query, sums)
        return withRows
      }),
    rows: (table, key, range) => readCoverings(table, range, (coverings) => rowsOfKey(coverings, key, range)),
    has(table, key) {
      if (!loaded.isComplete(table)) return undefined
      const digest = digestOfKey(key)
      return loaded.coveringsOf(table, ALL_GROUPS)?.some(({ file }) => file.blocksOfKey(digest) !== undefined)
    },
    covers: (table, range) => loaded.coveringsOf(table, range) !== undefined,
    async earned(table, range, tokenOf, limit, signal) {
      const coverings = loaded.coveringsOf(table, range)
      const planes = coverings && choosePlanes(coverings, range, tokenOf)
      if (planes === undefined) return undefined
      return await loaded.attemptLater(async () => {
        const gathered = await gatherPlanes(planes, signal)
        return gathered === undefined ? [] : await runInSlices(listEarned(gathered, limit), signal)
      })
    },
    coversEarned(table, range) {
      const coverings = loaded.coveringsOf(table, range)
      return coverings !== undefined && choosePlanes(coverings, range, () => null) !== undefined
    },
    load,
    lacks: (at) => missingTables(at).length > 0,
    build: async (at, options) =>
      await buildKeyFiles(await load(at), { ...options, stateFolder, openWriter }),
    async forget(table) {
      for (const { path } of loaded.filesOf(table)) loaded.forget(path)
    },
    files: (at) => listKeyFiles(stateFolder, keyedTables(at)),
    close: () => loaded.close(),
  }
}
