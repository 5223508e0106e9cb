import { runInSlices } from '../../base/slices.ts'
import { ALL_GROUPS, type GroupRange } from '../../catalog/query/group-range.ts'
import type { FileRowsReader } from '../../lake/ports/file-rows-reader.ts'
import type { OpenWriter } from '../../lake/ports/open-writer.ts'
import type { Snapshot, TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import { BlockCache } from '../blocks/block-cache.ts'
import { type Derived, WORTHWHILE_ROWS } from '../maintenance/derived.ts'
import { buildKeyIndexes } from './build/build-keys.ts'
import { choosePlanes, type TokenOf } from './choose-planes.ts'
import type { Covering } from './cover.ts'
import { gatherPlanes } from './gather-planes.ts'
import { type Earned, greatestOf } from './greatest.ts'
import { GroupSums, type GroupsAsked, type VisitSums } from './group-sums.ts'
import { digestOfKey } from './key-directory.ts'
import { keyFiles } from './key-files.ts'
import { type RowsOfKey, rowsOfKey } from './key-rows.ts'
import { sumKey, type VisitRow } from './key-sums.ts'
import { LoadedKeys } from './loaded-keys.ts'

/** The rows of tables by key, and what each key earned. */
export interface KeyIndex extends Derived {
  /**
   * Exact sums of columns over the rows of one key. Undefined when no files have all the rows of the range: then
   * the data files have to be read.
   */
  sums(
    table: TableSnapshot,
    key: string,
    range: GroupRange,
    columns: readonly string[],
    visit?: VisitRow,
  ): Readonly<Record<string, bigint>> | undefined
  /**
   * Exact sums over the rows of some keys, by the groups of the table. Returns the keys that have rows in the range; undefined, without a
   * visit, as with `sums`.
   */
  groupSums(
    table: TableSnapshot,
    keys: readonly string[],
    groups: GroupsAsked,
    visit: VisitSums,
  ): readonly string[] | undefined
  /** The rows of one key with all their columns. Undefined as with `sums`. */
  rows(table: TableSnapshot, key: string, range: GroupRange): RowsOfKey | undefined
  /** Whether a key has rows, whatever their period. Undefined when that takes the data files. */
  has(table: TableSnapshot, key: string): boolean | undefined
  /** Whether files were made of all the sources that a range needs. */
  knows(table: TableSnapshot, range: GroupRange): boolean
  /**
   * The `limit` hotspots that earned most in each token over a range, of equal ones the first by the bytes of their keys; all of them without
   * a limit, in no order. Undefined as with `sums`, and where rows of one period and type are of several tokens.
   */
  earned(
    table: TableSnapshot,
    range: GroupRange,
    tokenOf: TokenOf,
    limit: number | undefined,
    signal?: AbortSignal,
  ): Promise<readonly Earned[] | undefined>
  /** Whether it can tell what was earned. */
  knowsEarned(table: TableSnapshot, range: GroupRange): boolean
  close(): void
}

const CACHE_BYTES = 2 ** 24

/** `stateFolder` may be missing: then the index answers nothing. Tables of fewer than `worthwhileRows` are not indexed. */
export function openKeyIndex(
  stateFolder: string,
  openWriter: OpenWriter<FileRowsReader>,
  worthwhileRows = WORTHWHILE_ROWS,
): KeyIndex {
  const loaded = new LoadedKeys(stateFolder, new BlockCache(CACHE_BYTES))
  const groupSums = new WeakMap<GroupsAsked, GroupSums>()
  const keyed = ({ tables }: Snapshot) => tables.filter(({ resource }) => resource.keyed !== undefined)
  const indexed = (at: Snapshot) => keyed(at).filter(({ rows }) => rows >= worthwhileRows)
  const lackingOf = (at: Snapshot) => indexed(at).filter((table) => !loaded.isComplete(table))

  async function load(at: Snapshot): Promise<readonly TableSnapshot[]> {
    await loaded.loadTables(indexed(at))
    return lackingOf(at)
  }

  function ask<T>(
    table: TableSnapshot,
    range: GroupRange,
    answer: (coverings: readonly Covering[]) => T,
  ): T | undefined {
    const coverings = loaded.of(table, range)
    return coverings && loaded.attempt(() => answer(coverings))
  }

  return {
    name: 'index by hotspot',
    speedsUp: 'lists, totals and series of hotspots',
    sums(table, key, range, columns, visit) {
      return ask(table, range, (coverings) => {
        const ofColumns = sumKey(coverings, key, range, columns, visit)
        const sums: Record<string, bigint> = {}
        for (const [index, column] of columns.entries()) sums[column] = ofColumns[index] ?? 0n
        return sums
      })
    },
    groupSums: (table, keys, groups, visit) =>
      ask(table, groups.range, (coverings) => {
        const before = groupSums.get(groups)
        const sums = before?.isOf(coverings) ? before : new GroupSums(coverings, groups)
        // Sums that were added before an error must not be in the next answer.
        groupSums.delete(groups)
        const withRows = sums.read(keys, visit)
        groupSums.set(groups, sums)
        return withRows
      }),
    rows: (table, key, range) => ask(table, range, (coverings) => rowsOfKey(coverings, key, range)),
    has(table, key) {
      if (!loaded.isComplete(table)) return undefined
      const digest = digestOfKey(key)
      return loaded.of(table, ALL_GROUPS)?.some(({ file }) => file.blocksOf(digest) !== undefined)
    },
    knows: (table, range) => loaded.of(table, range) !== undefined,
    async earned(table, range, tokenOf, limit, signal) {
      const coverings = loaded.of(table, range)
      const planes = coverings && choosePlanes(coverings, range, tokenOf)
      if (planes === undefined) return undefined
      return await loaded.attemptLater(async () => {
        const gathered = await gatherPlanes(planes, signal)
        return gathered === undefined ? [] : await runInSlices(greatestOf(gathered, limit), signal)
      })
    },
    knowsEarned(table, range) {
      const coverings = loaded.of(table, range)
      return coverings !== undefined && choosePlanes(coverings, range, () => null) !== undefined
    },
    load,
    lacks: (at) => lackingOf(at).length > 0,
    build: async (at, options) =>
      await buildKeyIndexes(await load(at), { ...options, stateFolder, openWriter }),
    async forget(table) {
      for (const { path } of loaded.ofTable(table)) loaded.forget(path)
    },
    files: (at) => keyFiles(stateFolder, keyed(at)),
    close: () => loaded.close(),
  }
}
