import { firstAtLeast } from '../../base/values/first-index.ts'
import type { Resource } from '../../catalog/resource.ts'
import { BlockCache, type KeptList } from './block-cache.ts'
import { BLOCK_ROWS, type Contents, MAGIC, openPartList, type PartList, partAt } from './block-layout.ts'
import { DamagedFile, openParts, type Part, type PartsFile } from './container.ts'
import { leadingOf, type OpenFences, openFences } from './fences.ts'
import { OpenBlock } from './open-block.ts'
import { describeStored, type StoredColumn, storedColumns } from './stored-columns.ts'
import { readTextPart } from './text-parts.ts'
import type { TextList } from './texts.ts'

/** Open blocks of a file. Lists of its parts are in memory, some 50 bytes a block; blocks are not. */
export interface Blocks {
  readonly path: string
  readonly rows: number
  readonly columns: readonly StoredColumn[]
  /** The number of a column; -1 for one that is not stored. */
  numberOf(name: string): number
  /** The number of the block that has a row. */
  blockOf(row: number): number
  /** The first row of a block; behind the last one the number of rows. */
  firstRowOf(block: number): number
  /** A block by its number. Errors: DamagedFile. */
  block(number: number): OpenBlock
  /** Its bytes, read anew. Errors: DamagedFile. */
  bytesOf(number: number): Buffer
  /** The parts of the texts of a column. */
  textParts(column: number): PartList
  /** Errors: DamagedFile. */
  readTexts(column: number, part: number): TextList
}

/** An open file of blocks of the same size. */
export interface BlockFile extends Blocks {
  readonly resource: Resource
  readonly fences: OpenFences | undefined
  close(): void
}

export function blocksOf(rows: number): number {
  return Math.ceil(rows / BLOCK_ROWS)
}

const USUAL_CACHE_BYTES = 4 * 2 ** 20

const bytesOfBlock = ({ bytes }: OpenBlock) => bytes
const bytesOfTexts = ({ bytes, places }: TextList) => bytes.length + places.byteLength

/**
 * `source` is the SHA-256 of the file whose rows are wanted. What is read goes through `cache`. Columns that all of its rows lack may have
 * come since. Errors: DamagedFile; Error when it cannot be read, has other columns, or has the rows of another file.
 */
export function openBlockFile(
  path: string,
  resource: Resource,
  source: string,
  cache = new BlockCache(USUAL_CACHE_BYTES),
  lacks: readonly string[] = [],
): BlockFile {
  return openParts(path, MAGIC, (file) => {
    const contents: Contents = JSON.parse(file.contents)
    const described = describeStored(resource)
    const wanted = storedColumns(resource)
    const columns = contents.columns.flatMap((text) => wanted[described.indexOf(text)] ?? [])
    const absent = wanted.filter((column) => !columns.includes(column))
    if (
      contents.table !== resource.name ||
      columns.length < contents.columns.length ||
      absent.some(({ name }) => !lacks.includes(name))
    )
      throw new Error(`${path} has other columns`)
    if (contents.source !== source) throw new Error(`${path} has the rows of another file`)
    const { rows, fences } = contents
    const blocks = openBlocks(file, { ...contents, columns }, cache, absent)
    const count = blocksOf(rows)
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

/** Where blocks and their texts are in a file. */
interface BlocksInFile {
  readonly rows: number
  readonly columns: readonly StoredColumn[]
  readonly blocks: Part
  /** The parts of the texts of each column. */
  readonly texts: Readonly<Record<string, Part>>
}

/** Opens the blocks of a file, of any number of rows each; columns that are absent read as null. Errors: DamagedFile. */
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
  const lists = stored.map(({ name }) => {
    const part = contents.texts[name]
    if (part === undefined) throw new DamagedFile(path)
    return openPartList(file.read(part))
  })
  const numbers = new Map(columns.map(({ name }, number) => [name, number]))
  const openedBlocks: KeptList<OpenBlock> = []
  const openedTexts = lists.map((): KeptList<TextList> => [])
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
    block: (number) => cache.of(openedBlocks, number, open, bytesOfBlock),
    textParts: (column) => lists[column] as PartList,
    readTexts(column, part) {
      const read = (at: number) => readTextPart(file.read(partAt(lists[column] as PartList, at)))
      return cache.of(openedTexts[column] as KeptList<TextList>, part, read, bytesOfTexts)
    },
  }
}
