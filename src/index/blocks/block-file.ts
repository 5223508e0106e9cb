import { firstAtLeast } from '../../base/values/first-index.ts'
import type { Resource } from '../../catalog/resource.ts'
import { BlockCache, type CacheSlots } from './block-cache.ts'
import {
  BLOCK_ROWS,
  BLOCKS_MAGIC,
  type BlockFileContents,
  openPartList,
  type PartList,
  partAt,
} from './block-layout.ts'
import { DamagedFile, type FilePart, openParts, type PartsFile } from './container.ts'
import { type Fences, leadingOf, openFences } from './fences.ts'
import { OpenBlock } from './open-block.ts'
import { describeStored, type StoredColumn, toStoredColumns } from './stored-columns.ts'
import type { TextList } from './text-list.ts'
import { readTextPart } from './text-parts.ts'

/** Open blocks of a file. Part lists take some 50 bytes of memory a block. */
export interface Blocks {
  readonly path: string
  readonly rows: number
  readonly columns: readonly StoredColumn[]
  /** Returns the number of a column; -1 if it is not stored. */
  numberOf(name: string): number
  blockOf(row: number): number
  /** Returns the first row of a block; past the last block the number of rows. */
  firstRowOf(block: number): number
  /** Errors: DamagedFile. */
  block(number: number): OpenBlock
  /** Reads the bytes of a block, without the cache. Errors: DamagedFile. */
  bytesOf(number: number): Buffer
  textParts(column: number): PartList
  /** Errors: DamagedFile. */
  readTexts(column: number, part: number): TextList
}

/** An open file of blocks of equal size. */
export interface BlockFile extends Blocks {
  readonly resource: Resource
  readonly fences: Fences | undefined
  close(): void
}

export function countBlocks(rows: number): number {
  return Math.ceil(rows / BLOCK_ROWS)
}

const USUAL_CACHE_BYTES = 4 * 2 ** 20

const bytesOfBlock = ({ bytes }: OpenBlock) => bytes
const bytesOfTexts = ({ bytes, places }: TextList) => bytes.length + places.byteLength

/**
 * `source` is the SHA-256 of the data file, `lacks` the columns that it lacks: these may be absent here.
 * Errors: DamagedFile; Error for an unreadable file, other columns, or another source.
 */
export function openBlockFile(
  path: string,
  resource: Resource,
  source: string,
  cache = new BlockCache(USUAL_CACHE_BYTES),
  lacks: readonly string[] = [],
): BlockFile {
  return openParts(path, BLOCKS_MAGIC, (file) => {
    const contents: BlockFileContents = JSON.parse(file.contents)
    const described = describeStored(resource)
    const expected = toStoredColumns(resource)
    const columns = contents.columns.flatMap((text) => expected[described.indexOf(text)] ?? [])
    const absent = expected.filter((column) => !columns.includes(column))
    if (
      contents.table !== resource.name ||
      columns.length < contents.columns.length ||
      absent.some(({ name }) => !lacks.includes(name))
    )
      throw new Error(`${path} has other columns`)
    if (contents.source !== source) throw new Error(`${path} has the rows of another file`)
    const { rows, fences } = contents
    const blocks = openBlocks(file, { ...contents, columns }, cache, absent)
    const count = countBlocks(rows)
    if (blocks.blockOf(rows - 1) !== count - 1) throw new DamagedFile(path)
    const leading = leadingOf(resource)
    return {
      ...blocks,
      resource,
      blockOf: (row) => Math.floor(row / BLOCK_ROWS),
      firstRowOf: (block) => Math.min(rows, block * BLOCK_ROWS),
      fences: leading && fences ? openFences(leading, file.read(fences), count) : undefined,
      close: () => file.close(),
    }
  })
}

interface BlocksInFile {
  readonly rows: number
  readonly columns: readonly StoredColumn[]
  readonly blocks: FilePart
  /** Part lists of the texts of each column. */
  readonly texts: Readonly<Record<string, FilePart>>
}

/** Opens blocks of any number of rows. Absent columns are null. Errors: DamagedFile. */
export function openBlocks(
  file: PartsFile,
  { rows, columns: stored, ...contents }: BlocksInFile,
  cache: BlockCache,
  absent: readonly StoredColumn[] = [],
): Blocks {
  const { path } = file
  const blocks = openPartList(file.read(contents.blocks))
  const { firsts } = blocks
  const columns = [...stored, ...absent]
  const texts = stored.map(({ name }): { list: PartList; slots: CacheSlots<TextList> } => {
    const part = contents.texts[name]
    if (part === undefined) throw new DamagedFile(path)
    return { list: openPartList(file.read(part)), slots: [] }
  })
  const textsOf = (column: number) => {
    const columnTexts = texts[column]
    if (columnTexts === undefined) throw new RangeError(`${path} has no column ${column}`)
    return columnTexts
  }
  const numbers = new Map(columns.map(({ name }, number) => [name, number]))
  const openedBlocks: CacheSlots<OpenBlock> = []
  const bytesOf = (number: number) => file.read(partAt(blocks, number))
  const firstRowOf = (block: number) => firsts[block] ?? rows
  const open = (number: number) => {
    const rowsInBlock = firstRowOf(number + 1) - firstRowOf(number)
    return new OpenBlock(bytesOf(number), stored.length, rowsInBlock, columns.length)
  }
  return {
    ...{ path, rows, columns, bytesOf, firstRowOf },
    numberOf: (name) => numbers.get(name) ?? -1,
    blockOf: (row) => firstAtLeast(firsts, row + 1) - 1,
    block: (number) => cache.get(openedBlocks, number, open, bytesOfBlock),
    textParts: (column) => textsOf(column).list,
    readTexts(column, part) {
      const { list, slots } = textsOf(column)
      return cache.get(slots, part, (index) => readTextPart(file.read(partAt(list, index))), bytesOfTexts)
    },
  }
}
