import { getOrMake } from '../base/maps.ts'
import type { Predicate, RowRange } from '../catalog/query/plan.ts'
import type { Row } from '../catalog/resource.ts'
import type { FileRowsReader } from '../lake/ports/file-rows-reader.ts'
import type { OpenWriter } from '../lake/ports/open-writer.ts'
import type { Snapshot, TableSnapshot } from '../lake/snapshot/snapshot.ts'
import { BlockCache } from './blocks/block-cache.ts'
import { type BlockFile, openBlockFile } from './blocks/block-file.ts'
import { BlockReading } from './blocks/block-reading.ts'
import { buildBlockFiles } from './build-block-files.ts'
import { columnIndexes, fileIndex, type IndexFile, indexPath, removeUnusedIndexes } from './index-file.ts'
import { listBlockFiles } from './list-block-files.ts'
import { type Derived, WORTH_SEARCHING_ROWS } from './maintenance/derived.ts'
import { NarrowedRows } from './narrow-rows.ts'
import { OpenFiles } from './open-files.ts'
import type { ColumnOrder } from './orders.ts'

/** Covering indexes of tables: rows in small blocks that a request reads synchronously. */
export interface RowBlocks extends Derived {
  /** Reads the rows of ranges. Undefined if the index of a file is missing or lacks a column. Errors: DamagedFile. */
  rows(ranges: readonly RowRange[], columns: readonly string[]): readonly Row[] | undefined
  /** Returns whether an index is open, by the path of its data file or the key of its order. */
  has(key: string): boolean
  /** The open indexes by column of a table version, pointers first. */
  ordersOf(table: TableSnapshot): readonly OpenOrder[]
  /** Narrows the rows of an index; `likely` is the expected first row. Undefined if it is missing. Errors: DamagedFile. */
  narrow(key: string, where: readonly Predicate[], likely?: number): NarrowedRows | undefined
  /** Returns the result of `read`; undefined if an index is damaged, which is then removed. */
  attempt<T>(read: () => T): T | undefined
  attemptLater<T>(read: () => Promise<T>): Promise<T | undefined>
  close(): void
}

/** An open index by a column. */
export interface OpenOrder extends ColumnOrder {
  readonly key: string
}

const USUAL_CACHE_BYTES = 64 * 2 ** 20

interface Options {
  /** Least rows of a table with indexes. */
  readonly worthwhileRows?: number | undefined
  /** Most bytes of unpacked blocks in memory. */
  readonly cacheBytes?: number
  /** Builds indexes in file order only, and removes no file. */
  readonly isFileOrderOnly?: boolean
}

/** `stateFolder` may be missing. */
export function openRowBlocks(
  stateFolder: string,
  openWriter: OpenWriter<FileRowsReader>,
  {
    worthwhileRows = WORTH_SEARCHING_ROWS,
    cacheBytes = USUAL_CACHE_BYTES,
    isFileOrderOnly = false,
  }: Options = {},
): RowBlocks {
  const opened = new OpenFiles<BlockFile>()
  const cache = new BlockCache(cacheBytes)
  const byColumn = new WeakMap<TableSnapshot, readonly IndexFile[]>()
  const openOrders = new WeakMap<TableSnapshot, readonly OpenOrder[]>()
  const listedTables = ({ tables }: Snapshot) =>
    tables.filter(({ resource }) => resource.access !== undefined)
  const indexedTables = (at: Snapshot) => listedTables(at).filter(({ rows }) => rows >= worthwhileRows)

  function byColumnOf(table: TableSnapshot): readonly IndexFile[] {
    return isFileOrderOnly ? [] : getOrMake(byColumn, table, () => columnIndexes(table))
  }

  const filesOf = (table: TableSnapshot): readonly IndexFile[] => [
    ...table.files.filter(({ rows }) => rows > 0).map((file) => fileIndex(table.resource, file)),
    ...byColumnOf(table),
  ]
  const isMissing = ({ key }: IndexFile) => !opened.has(key)
  const missingTables = (at: Snapshot) => indexedTables(at).filter((table) => filesOf(table).some(isMissing))

  async function load(at: Snapshot): Promise<readonly TableSnapshot[]> {
    const indexes = indexedTables(at).flatMap(filesOf)
    opened.load(new Map(indexes.map((index) => [index.key, () => openIndex(index)])))
    return missingTables(at)
  }

  function openIndex(index: IndexFile): BlockFile {
    const { resource, source, files } = index
    const [first, ...rest] = files
    const lacks = first?.lacks.filter((name) => rest.every((file) => file.lacks.includes(name)))
    return openBlockFile(indexPath(stateFolder, index), resource, source, cache, lacks)
  }

  return {
    name: 'row indexes',
    speedsUp: 'pages, lookups and filters',

    rows(ranges, columns) {
      const listed: Row[] = []
      for (const { file, first, end } of ranges) {
        const index = opened.get(file)
        const numbers = index && columns.map(index.numberOf)
        if (index === undefined || numbers === undefined || numbers.includes(-1)) return undefined
        const rows = new BlockReading(index).rows(numbers, first, end)
        if (listed.length === 0 && ranges.length === 1) return rows
        listed.push(...rows)
      }
      return listed
    },

    ordersOf(table) {
      const orders = getOrMake(openOrders, table, () =>
        byColumnOf(table).flatMap(({ by, key }): OpenOrder[] => (by === undefined ? [] : [{ ...by, key }])),
      )
      return orders.every(({ key }) => opened.has(key)) ? orders : orders.filter(({ key }) => opened.has(key))
    },

    has: (key) => opened.has(key),
    narrow(key, where, likely) {
      const file = opened.get(key)
      return file && new NarrowedRows(file, where, likely)
    },
    attempt: (read) => opened.attempt(read),
    attemptLater: (read) => opened.attemptLater(read),

    load,
    lacks: (at) => missingTables(at).length > 0,
    async build(at, options) {
      await load(at)
      const indexes = indexedTables(at).flatMap(filesOf)
      await buildBlockFiles(indexes.filter(isMissing), { ...options, stateFolder, openWriter })
      if (!isFileOrderOnly) await removeUnusedIndexes(stateFolder, indexes)
    },
    async forget(table) {
      for (const { key } of filesOf(table)) opened.forget(key)
    },
    files: (at) => listBlockFiles(stateFolder, listedTables(at).flatMap(filesOf)),
    close: () => opened.close(),
  }
}
