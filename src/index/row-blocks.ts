import { existsSync, rmSync } from 'node:fs'
import type { Row } from '../catalog/resource.ts'
import type { FileRowsReader } from '../lake/file-rows-reader.ts'
import type { OpenWriter } from '../lake/open-writer.ts'
import type { Snapshot, TableSnapshot } from '../lake/snapshot.ts'
import { type Derived, WORTH_SEARCHING_ROWS } from '../maintenance/derived.ts'
import type { Predicate, RowRange } from '../query/plan.ts'
import { BlockCache } from './block-cache.ts'
import { type BlockFile, openBlockFile } from './block-file.ts'
import { blockFiles } from './block-files.ts'
import { BlockReading } from './block-reading.ts'
import { buildBlocks, removeOthers } from './build-blocks.ts'
import { DamagedFile } from './container.ts'
import { type NarrowedRows, narrowRows } from './find-rows.ts'
import { type FileToBlock, placeOf } from './folder.ts'

/** Rows of files in small blocks, so that a few of them are read at once, in the turn of a request. */
export interface RowBlocks extends Derived {
  /** The rows of ranges, one after the other. Undefined when blocks of one are missing, or do not have a column: then the files have to be read. */
  rows(ranges: readonly RowRange[], columns: readonly string[]): readonly Row[] | undefined
  /** Where the rows of a file, by its path, are that satisfy predicates; `likely` is the row that should be the first. Undefined when its blocks are missing. */
  narrow(path: string, where: readonly Predicate[], likely?: number): NarrowedRows | undefined
  close(): void
}

/** What is kept beside the lake and has rows that are looked for. */
export interface FilesBeside {
  load(at: Snapshot): Promise<unknown>
  forget(table: TableSnapshot): Promise<void>
  filesOf(table: TableSnapshot): readonly FileToBlock[]
}

const USUAL_CACHE_BYTES = 64 * 2 ** 20

/**
 * `stateFolder` may be missing: then there are no blocks. Tables of fewer than `worthwhileRows` get none. Blocks of all files that were
 * read last stay unpacked, in `cacheBytes`.
 */
export function openRowBlocks(
  stateFolder: string,
  openWriter: OpenWriter<FileRowsReader>,
  beside: FilesBeside,
  worthwhileRows = WORTH_SEARCHING_ROWS,
  cacheBytes = USUAL_CACHE_BYTES,
): RowBlocks {
  /** By the path of the file that they were made of. */
  const opened = new Map<string, BlockFile>()
  const cache = new BlockCache(cacheBytes)
  const listed = ({ tables }: Snapshot) => tables.filter(({ resource }) => resource.access !== undefined)
  const blocked = (at: Snapshot) => listed(at).filter(({ rows }) => rows >= worthwhileRows)
  const filesOf = (table: TableSnapshot): readonly FileToBlock[] => [
    ...table.files.filter(({ rows }) => rows > 0).map((file) => ({ resource: table.resource, file })),
    ...beside.filesOf(table),
  ]
  const isLacking = ({ file }: FileToBlock) => !opened.has(file.path)
  const lackingOf = (at: Snapshot) => blocked(at).filter((table) => filesOf(table).some(isLacking))

  async function load(at: Snapshot): Promise<readonly TableSnapshot[]> {
    await beside.load(at)
    const wanted = blocked(at).flatMap(filesOf)
    const paths = new Set(wanted.map(({ file }) => file.path))
    for (const path of opened.keys()) if (!paths.has(path)) close(path)
    for (const one of wanted) {
      const file = isLacking(one) ? openIfIntact(placeOf(stateFolder, one), one, cache) : undefined
      if (file !== undefined) opened.set(one.file.path, file)
    }
    return lackingOf(at)
  }

  function close(path: string): void {
    opened.get(path)?.close()
    opened.delete(path)
  }

  /** Until it is built again the data file is read in its place. */
  function forget(path: string): void {
    const file = opened.get(path)
    close(path)
    try {
      if (file !== undefined) rmSync(file.path, { force: true })
    } catch {
      // In a folder that cannot be written it stays; then it is loaded after the next commit, and forgotten again.
    }
  }

  function ask<T>(path: string, answer: (file: BlockFile) => T): T | undefined {
    const file = opened.get(path)
    if (file === undefined) return undefined
    try {
      return answer(file)
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error
      forget(path)
      return undefined
    }
  }

  return {
    name: 'row blocks',
    speedsUp: 'pages and lookups',

    rows(ranges, columns) {
      const all: Row[] = []
      for (const { file, first, end } of ranges) {
        const rows = ask(file, (own) => {
          const reading = new BlockReading(own)
          const numbers = columns.map((name) => own.numberOf(name))
          return numbers.includes(-1) ? undefined : reading.rows(numbers, first, end)
        })
        if (rows === undefined) return undefined
        if (all.length === 0 && ranges.length === 1) return rows
        all.push(...rows)
      }
      return all
    },

    narrow(path, where, likely) {
      const narrowed = ask(path, (file) => narrowRows(file, where, likely))
      return (
        narrowed && {
          compared: narrowed.compared,
          find() {
            const found = ask(path, narrowed.find)
            return found && { total: found.total, read: (...given) => ask(path, () => found.read(...given)) }
          },
        }
      )
    },

    load,
    lacks: (at) => lackingOf(at).length > 0,
    async build(at, options) {
      await load(at)
      // What was deleted is made anew by whoever keeps it.
      for (const table of blocked(at))
        if (!beside.filesOf(table).every(({ file }) => existsSync(file.path))) await beside.forget(table)
      const wanted = blocked(at).flatMap(filesOf)
      await buildBlocks(wanted.filter(isLacking), { ...options, stateFolder, openWriter })
      await removeOthers(stateFolder, wanted)
    },
    async forget(table) {
      for (const { file } of filesOf(table)) forget(file.path)
    },
    async files(at) {
      await beside.load(at)
      return await blockFiles(stateFolder, listed(at).flatMap(filesOf))
    },
    close() {
      for (const path of opened.keys()) close(path)
    },
  }
}

/** Undefined when it cannot be read, is damaged, or is of another file or release; blocks are checked later, when they are read. */
function openIfIntact(
  path: string,
  { resource, file }: FileToBlock,
  cache: BlockCache,
): BlockFile | undefined {
  try {
    return openBlockFile(path, resource, file.sha256, cache)
  } catch {
    return undefined
  }
}
