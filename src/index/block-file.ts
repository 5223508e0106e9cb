import type { Resource } from '../catalog/resource.ts'
import { BlockCache, type KeptList } from './block-cache.ts'
import { BLOCK_ROWS, type Contents, MAGIC, openPartList, type PartList, partAt } from './block-layout.ts'
import { DamagedFile, openParts } from './container.ts'
import { leadingOf, type OpenFences, openFences } from './fences.ts'
import { OpenBlock } from './open-block.ts'
import { describeStored, type StoredColumn, storedColumns } from './stored-columns.ts'
import { readTextPart } from './text-parts.ts'
import type { TextList } from './texts.ts'

/** An open file of blocks. Lists of its parts are in memory, some 50 bytes a block; blocks are not. */
export interface BlockFile {
  readonly path: string
  readonly resource: Resource
  readonly rows: number
  readonly columns: readonly StoredColumn[]
  /** The number of a column; -1 for one that is not stored. */
  numberOf(name: string): number
  readonly fences: OpenFences | undefined
  /** A block by its number. Errors: DamagedFile. */
  block(number: number): OpenBlock
  /** The parts of the texts of a column. */
  textParts(column: number): PartList
  /** Errors: DamagedFile. */
  readTexts(column: number, part: number): TextList
  close(): void
}

export function blocksOf(rows: number): number {
  return Math.ceil(rows / BLOCK_ROWS)
}

const USUAL_CACHE_BYTES = 4 * 2 ** 20

const bytesOfBlock = ({ bytes }: OpenBlock) => bytes
const bytesOfTexts = ({ bytes, places }: TextList) => bytes.length + places.byteLength

/**
 * `source` is the SHA-256 of the file whose rows are wanted. What is read goes through `cache`. Errors: DamagedFile; Error when it
 * cannot be read, is of another release, or has the rows of another file.
 */
export function openBlockFile(
  path: string,
  resource: Resource,
  source: string,
  cache = new BlockCache(USUAL_CACHE_BYTES),
): BlockFile {
  const file = openParts(path, MAGIC)
  try {
    const contents: Contents = JSON.parse(file.contents)
    if (contents.table !== resource.name || contents.columns.join() !== describeStored(resource).join())
      throw new Error(`${path} has other columns`)
    if (contents.source !== source) throw new Error(`${path} has the rows of another file`)
    const { rows } = contents
    const columns = storedColumns(resource)
    const blocks = openPartList(file.read(contents.blocks))
    if (blocks.starts.length !== blocksOf(rows)) throw new DamagedFile(path)
    const lists = columns.map(({ name }) => {
      const part = contents.texts[name]
      if (part === undefined) throw new DamagedFile(path)
      return openPartList(file.read(part))
    })
    const leading = leadingOf(resource)
    const isFenced = leading !== undefined && contents.fences !== null
    const numbers = new Map(columns.map(({ name }, number) => [name, number]))
    const openedBlocks: KeptList<OpenBlock> = []
    const open = (number: number) => {
      const bytes = file.read(partAt(blocks, number))
      return new OpenBlock(bytes, columns.length, Math.min(BLOCK_ROWS, rows - number * BLOCK_ROWS))
    }
    const texts = lists.map((parts) => ({
      opened: [] as KeptList<TextList>,
      read: (part: number) => readTextPart(file.read(partAt(parts, part))),
    }))
    return {
      ...{ path, resource, rows, columns },
      numberOf: (name) => numbers.get(name) ?? -1,
      fences:
        isFenced && contents.fences
          ? openFences(leading, file.read(contents.fences), blocksOf(rows))
          : undefined,
      block: (number) => cache.of(openedBlocks, number, open, bytesOfBlock),
      textParts: (column) => lists[column] as PartList,
      readTexts(column, part) {
        const { opened, read } = texts[column] as (typeof texts)[number]
        return cache.of(opened, part, read, bytesOfTexts)
      },
      close: () => file.close(),
    }
  } catch (error) {
    file.close()
    throw error
  }
}
