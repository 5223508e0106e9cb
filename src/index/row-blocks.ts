import type { Predicate, RowRange } from '../catalog/query/plan.ts'
import type { Row } from '../catalog/resource.ts'
import type { FileRowsReader } from '../lake/ports/file-rows-reader.ts'
import type { OpenWriter } from '../lake/ports/open-writer.ts'
import type { Snapshot, TableSnapshot } from '../lake/snapshot/snapshot.ts'
import { blockFiles } from './block-files.ts'
import { BlockCache } from './blocks/block-cache.ts'
import { type BlockFile, openBlockFile } from './blocks/block-file.ts'
import { BlockReading } from './blocks/block-reading.ts'
import { buildBlocks, removeOthers } from './build-blocks.ts'
import { type NarrowedRows, narrowRows } from './find-rows.ts'
import { columnIndexes, fileIndex, type IndexFile, placeOf } from './folder.ts'
import { type Derived, WORTH_SEARCHING_ROWS } from './maintenance/derived.ts'
import { OpenFiles } from './open-files.ts'
import type { ColumnOrder } from './orders.ts'

/** Indexes of tables: rows in small blocks, so that a few of them are read at once, in the turn of a request. */
export interface RowBlocks extends Derived {
  /** The rows of ranges, one after the other. Undefined when the index of a file is missing, or lacks a column. Errors: DamagedFile. */
  rows(ranges: readonly RowRange[], columns: readonly string[]): readonly Row[] | undefined
  /** Whether an index is open: that of a data file, by its path, or by a column, by the key of its order. */
  has(key: string): boolean
  /** The indexes by columns of a version of a table that are open, those of pointers first. */
  ordersOf(table: TableSnapshot): readonly OpenOrder[]
  /** Narrows the rows of an index; `likely` is the row that should be the first. Undefined when it is missing. Errors: DamagedFile. */
  narrow(key: string, where: readonly Predicate[], likely?: number): NarrowedRows | undefined
  /** The answer, or undefined where an index turns out to be damaged, which is removed then. */
  attempt<T>(answer: () => T): T | undefined
  attemptLater<T>(answer: () => Promise<T>): Promise<T | undefined>
  close(): void
}

/** An open index by a column. */
export interface OpenOrder extends ColumnOrder {
  readonly key: string
}

const USUAL_CACHE_BYTES = 64 * 2 ** 20

interface Options {
  /** Tables of fewer rows get no index. */
  readonly worthwhileRows?: number | undefined
  /** Blocks that were read last stay unpacked, in so many bytes. */
  readonly cacheBytes?: number
  /** Whether data files get indexes in their own order alone; then nothing is removed either. */
  readonly areListsOnly?: boolean
}

/** `stateFolder` may be missing: then there are no indexes. */
export function openRowBlocks(
  stateFolder: string,
  openWriter: OpenWriter<FileRowsReader>,
  {
    worthwhileRows = WORTH_SEARCHING_ROWS,
    cacheBytes = USUAL_CACHE_BYTES,
    areListsOnly = false,
  }: Options = {},
): RowBlocks {
  const opened = new OpenFiles<BlockFile>()
  const cache = new BlockCache(cacheBytes)
  const byColumn = new WeakMap<TableSnapshot, readonly IndexFile[]>()
  const openOrders = new WeakMap<TableSnapshot, readonly OpenOrder[]>()
  const listed = ({ tables }: Snapshot) => tables.filter(({ resource }) => resource.access !== undefined)
  const blocked = (at: Snapshot) => listed(at).filter(({ rows }) => rows >= worthwhileRows)

  function byColumnOf(table: TableSnapshot): readonly IndexFile[] {
    if (areListsOnly) return []
    const indexes = byColumn.get(table) ?? columnIndexes(table)
    byColumn.set(table, indexes)
    return indexes
  }

  const filesOf = (table: TableSnapshot): readonly IndexFile[] => [
    ...table.files.filter(({ rows }) => rows > 0).map((file) => fileIndex(table.resource, file)),
    ...byColumnOf(table),
  ]
  const isLacking = ({ key }: IndexFile) => !opened.has(key)
  const lackingOf = (at: Snapshot) => blocked(at).filter((table) => filesOf(table).some(isLacking))

  async function load(at: Snapshot): Promise<readonly TableSnapshot[]> {
    const wanted = blocked(at).flatMap(filesOf)
    opened.load(new Map(wanted.map((index) => [index.key, () => openIndex(index)])))
    return lackingOf(at)
  }

  function openIndex(index: IndexFile): BlockFile {
    const { resource, source, files } = index
    const [first, ...rest] = files
    const lacks = first?.lacks.filter((name) => rest.every((file) => file.lacks.includes(name)))
    return openBlockFile(placeOf(stateFolder, index), resource, source, cache, lacks)
  }

  return {
    name: 'row indexes',
    speedsUp: 'pages, lookups and filters',

    rows(ranges, columns) {
      const all: Row[] = []
      for (const { file, first, end } of ranges) {
        const index = opened.get(file)
        const numbers = index && columns.map(index.numberOf)
        if (index === undefined || numbers === undefined || numbers.includes(-1)) return undefined
        const rows = new BlockReading(index).rows(numbers, first, end)
        if (all.length === 0 && ranges.length === 1) return rows
        all.push(...rows)
      }
      return all
    },

    ordersOf(table) {
      const orders =
        openOrders.get(table) ??
        byColumnOf(table).flatMap(({ by, key }): OpenOrder[] => (by === undefined ? [] : [{ ...by, key }]))
      openOrders.set(table, orders)
      return orders.every(({ key }) => opened.has(key)) ? orders : orders.filter(({ key }) => opened.has(key))
    },

    has: (key) => opened.has(key),
    narrow(key, where, likely) {
      const file = opened.get(key)
      return file && narrowRows(file, where, likely)
    },
    attempt: (answer) => opened.attempt(answer),
    attemptLater: (answer) => opened.attemptLater(answer),

    load,
    lacks: (at) => lackingOf(at).length > 0,
    async build(at, options) {
      await load(at)
      const wanted = blocked(at).flatMap(filesOf)
      await buildBlocks(wanted.filter(isLacking), { ...options, stateFolder, openWriter })
      if (!areListsOnly) await removeOthers(stateFolder, wanted)
    },
    async forget(table) {
      for (const { key } of filesOf(table)) opened.forget(key)
    },
    files: (at) => blockFiles(stateFolder, listed(at).flatMap(filesOf)),
    close: () => opened.close(),
  }
}
