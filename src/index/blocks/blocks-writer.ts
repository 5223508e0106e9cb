import { BitWriter } from './bits.ts'
import { GatheredColumn, writeBlock } from './block-columns.ts'
import { writePartList } from './block-layout.ts'
import type { Part, PartsWriter } from './container.ts'
import type { StoredColumn } from './stored-columns.ts'
import { TextNumbers } from './text-numbers.ts'

/** A column of the blocks of a file: the numbers of the block that is under way, and the texts of all of them. */
interface WrittenColumn {
  readonly stored: StoredColumn
  readonly numbers: GatheredColumn
  readonly texts: TextNumbers
}

/** Writes blocks of any number of rows, and their texts. Who writes adds the numbers of rows to each column, then counts the rows. */
export class BlocksWriter {
  readonly columns: readonly WrittenColumn[]
  readonly #parts: PartsWriter
  readonly #bits = new BitWriter()
  readonly #blocks: (Part & { readonly first: number })[] = []
  #rows = 0
  #inBlock = 0

  constructor(parts: PartsWriter, columns: readonly StoredColumn[], mostRows: number) {
    this.#parts = parts
    this.columns = columns.map((stored) => ({
      stored,
      numbers: new GatheredColumn(mostRows),
      texts: new TextNumbers(parts),
    }))
  }

  /** Blocks that are finished. */
  get blocks(): number {
    return this.#blocks.length
  }

  /** Rows of the block that is under way. */
  get inBlock(): number {
    return this.#inBlock
  }

  count(rows: number): void {
    this.#inBlock += rows
  }

  /** Writes the block that is under way, unless it has no rows. */
  finishBlock(): void {
    if (this.#inBlock === 0) return
    const numbers = this.columns.map((column) => column.numbers)
    this.#blocks.push({ ...this.#parts.append(writeBlock(numbers, this.#bits)), first: this.#rows })
    this.#rows += this.#inBlock
    this.#inBlock = 0
  }

  /** Writes the rest and the lists of all blocks and texts; gives what contents say of them. */
  finish(): { readonly rows: number; readonly blocks: Part; readonly texts: Readonly<Record<string, Part>> } {
    this.finishBlock()
    const texts = this.columns.map((column) => [column.stored.name, column.texts.finish()] as const)
    const blocks = this.#parts.append(writePartList(this.#blocks))
    return { rows: this.#rows, blocks, texts: Object.fromEntries(texts) }
  }
}
