import { BitWriter } from './bits.ts'
import { type ListedPart, writePartList } from './block-layout.ts'
import { ColumnBuffer, writeBlock } from './column-buffer.ts'
import type { FilePart, PartsWriter } from './container.ts'
import type { StoredColumn } from './stored-columns.ts'
import { TextNumbers } from './text-numbers.ts'

/** A column: the numbers of the current block, and the texts of the file. */
interface WrittenColumn {
  readonly stored: StoredColumn
  readonly numbers: ColumnBuffer
  readonly texts: TextNumbers
}

/** Writes blocks of any number of rows, and their texts. Add numbers to each column, then `count` the rows. */
export class BlocksWriter {
  readonly columns: readonly WrittenColumn[]
  readonly #parts: PartsWriter
  readonly #bits = new BitWriter()
  readonly #blocks: ListedPart[] = []
  #rows = 0
  #inBlock = 0

  constructor(parts: PartsWriter, columns: readonly StoredColumn[], mostRows: number) {
    this.#parts = parts
    this.columns = columns.map((stored) => ({
      stored,
      numbers: new ColumnBuffer(mostRows),
      texts: new TextNumbers(parts),
    }))
  }

  /** The number of finished blocks. */
  get blocks(): number {
    return this.#blocks.length
  }

  /** Rows of the current block. */
  get inBlock(): number {
    return this.#inBlock
  }

  count(rows: number): void {
    this.#inBlock += rows
  }

  /** Writes the current block unless it is empty. */
  finishBlock(): void {
    if (this.#inBlock === 0) return
    const numbers = this.columns.map((column) => column.numbers)
    this.#blocks.push({ ...this.#parts.append(writeBlock(numbers, this.#bits)), first: this.#rows })
    this.#rows += this.#inBlock
    this.#inBlock = 0
  }

  /** Writes the last block and all part lists. Returns their members of the contents. */
  finish(): {
    readonly rows: number
    readonly blocks: FilePart
    readonly texts: Readonly<Record<string, FilePart>>
  } {
    this.finishBlock()
    const texts = this.columns.map((column) => [column.stored.name, column.texts.finish()] as const)
    const blocks = this.#parts.append(writePartList(this.#blocks))
    return { rows: this.#rows, blocks, texts: Object.fromEntries(texts) }
  }
}
