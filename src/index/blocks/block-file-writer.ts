import type { Value } from '../../catalog/column.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { RowVectors } from '../../lake/ports/file-rows-reader.ts'
import { BLOCK_ROWS, BLOCKS_MAGIC, type BlockFileContents } from './block-layout.ts'
import { BlocksWriter } from './blocks-writer.ts'
import { PartsWriter } from './container.ts'
import { createAdder } from './create-adder.ts'
import { FenceWriter, leadingOf } from './fences.ts'
import { describeStored, toStoredColumns } from './stored-columns.ts'

/** Writes rows as a file of blocks, in the given order. */
export class BlockFileWriter {
  readonly #resource: Resource
  readonly #source: string
  readonly #parts: PartsWriter
  readonly #blocks: BlocksWriter
  readonly #fences: FenceWriter | undefined
  #last: Value = null

  private constructor(resource: Resource, source: string, parts: PartsWriter) {
    this.#resource = resource
    this.#source = source
    this.#parts = parts
    this.#blocks = new BlocksWriter(parts, toStoredColumns(resource), BLOCK_ROWS)
    const leading = leadingOf(resource)
    this.#fences = leading && new FenceWriter(leading)
  }

  /** `source` is the SHA-256 of the data file. */
  static async create(path: string, resource: Resource, source: string): Promise<BlockFileWriter> {
    return new BlockFileWriter(resource, source, await PartsWriter.create(path, BLOCKS_MAGIC))
  }

  async append({ rows, columns }: RowVectors): Promise<void> {
    const blocks = this.#blocks
    const adders = blocks.columns.map(({ stored, numbers, texts }) => {
      const values = columns[stored.name]
      if (values === undefined) throw new Error(`rows came without ${stored.name}`)
      return createAdder(stored, values, numbers, texts)
    })
    const leading = columns[this.#fences?.column ?? '']
    for (let first = 0, end = 0; first < rows; first = end) {
      if (blocks.inBlock === 0) this.#fences?.add(leading?.at(first) ?? null)
      end = Math.min(rows, first + BLOCK_ROWS - blocks.inBlock)
      for (const add of adders) add(first, end)
      blocks.count(end - first)
      if (blocks.inBlock === BLOCK_ROWS) blocks.finishBlock()
    }
    this.#last = leading?.at(rows - 1) ?? null
    await this.#parts.flush()
  }

  async finish(): Promise<void> {
    this.#fences?.add(this.#last)
    const contents: BlockFileContents = {
      ...{ table: this.#resource.name, source: this.#source, columns: describeStored(this.#resource) },
      ...this.#blocks.finish(),
      fences:
        this.#fences === undefined || this.#fences.hasNull ? null : this.#parts.append(this.#fences.take()),
    }
    await this.#parts.finish(JSON.stringify(contents))
  }

  close(): Promise<void> {
    return this.#parts.close()
  }
}
