import type { Value } from '../catalog/column.ts'
import type { Resource } from '../catalog/resource.ts'
import type { RowVectors } from '../lake/file-rows-reader.ts'
import { BitWriter } from './bits.ts'
import { GatheredColumn, writeBlock } from './block-columns.ts'
import { BLOCK_ROWS, type Contents, MAGIC, writePartList } from './block-layout.ts'
import { type Part, PartsWriter } from './container.ts'
import { Fences, leadingOf } from './fences.ts'
import { adderOf } from './numbers-of-values.ts'
import { describeStored, type StoredColumn, storedColumns } from './stored-columns.ts'
import { TextNumbers } from './text-numbers.ts'

/** Writes the rows of a file as blocks, in the order in which they come. */
export class BlockFileWriter {
  readonly #resource: Resource
  readonly #source: string
  readonly #parts: PartsWriter
  readonly #columns: readonly StoredColumn[]
  readonly #gathered: readonly GatheredColumn[]
  readonly #texts: readonly TextNumbers[]
  readonly #fences: Fences | undefined
  readonly #bits = new BitWriter()
  readonly #blocks: (Part & { readonly first: number })[] = []
  #rows = 0
  #last: Value = null

  private constructor(resource: Resource, source: string, parts: PartsWriter) {
    this.#resource = resource
    this.#source = source
    this.#parts = parts
    this.#columns = storedColumns(resource)
    this.#gathered = this.#columns.map(() => new GatheredColumn(BLOCK_ROWS))
    this.#texts = this.#columns.map(() => new TextNumbers(parts))
    const leading = leadingOf(resource)
    this.#fences = leading && new Fences(leading)
  }

  /** `source` is the SHA-256 of the file that the rows are of. */
  static async create(path: string, resource: Resource, source: string): Promise<BlockFileWriter> {
    return new BlockFileWriter(resource, source, await PartsWriter.create(path, MAGIC))
  }

  async append({ rows, columns }: RowVectors): Promise<void> {
    const adders = this.#columns.map((stored, place) => {
      const [gathered, texts, values] = [this.#gathered[place], this.#texts[place], columns[stored.name]]
      if (gathered === undefined || texts === undefined || values === undefined)
        throw new Error(`rows came without ${stored.name}`)
      return adderOf(stored, values, gathered, texts)
    })
    const leading = columns[this.#fences?.column ?? '']
    for (let first = 0, end = 0; first < rows; first = end) {
      const inBlock = this.#rows % BLOCK_ROWS
      if (inBlock === 0) this.#fences?.add(leading?.at(first) ?? null)
      end = Math.min(rows, first + BLOCK_ROWS - inBlock)
      for (const add of adders) add(first, end)
      this.#rows += end - first
      if (this.#rows % BLOCK_ROWS === 0) this.#finishBlock()
    }
    this.#last = leading?.at(rows - 1) ?? null
    await this.#parts.flush()
  }

  async finish(): Promise<void> {
    if (this.#rows % BLOCK_ROWS !== 0) this.#finishBlock()
    this.#fences?.add(this.#last)
    const texts = this.#columns.map(({ name }, place) => [name, this.#texts[place]?.finish()] as const)
    const contents: Contents = {
      table: this.#resource.name,
      source: this.#source,
      rows: this.#rows,
      columns: describeStored(this.#resource),
      blocks: this.#parts.append(writePartList(this.#blocks)),
      texts: Object.fromEntries(texts.flatMap(([name, part]) => (part === undefined ? [] : [[name, part]]))),
      fences: this.#fences?.isWhole ? this.#parts.append(this.#fences.take()) : null,
    }
    await this.#parts.finish(JSON.stringify(contents))
  }

  close(): Promise<void> {
    return this.#parts.close()
  }

  #finishBlock(): void {
    const first = this.#blocks.length * BLOCK_ROWS
    this.#blocks.push({ ...this.#parts.append(writeBlock(this.#gathered, this.#bits)), first })
  }
}
