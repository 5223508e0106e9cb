import { isSliceOver, nextSlice } from '../../../base/slices.ts'
import { bigintOf } from '../../../catalog/column.ts'
import type { Resource, Row } from '../../../catalog/resource.ts'
import type { GroupKey } from '../../../lake/facts/group-series.ts'
import { BlocksWriter } from '../../blocks/blocks-writer.ts'
import { PartsWriter } from '../../blocks/container.ts'
import type { StoredColumn } from '../../blocks/stored-columns.ts'
import {
  describeKeyed,
  KEYS_MAGIC,
  type KeyFileContents,
  keyedColumns,
  keyedStoredColumns,
  nameOf,
  writeContents,
} from '../key-file-contents.ts'
import { orderOfKeys, writeOrder } from '../key-order.ts'
import type { NumberText, RowsByKey } from './gather-rows.ts'
import { PlanesWriter, type SummedColumn } from './planes-writer.ts'

/** Most rows of a block; most keys fit into one. */
const MOST_KEY_ROWS = 1024

/** Rows between two checks of the time slice. */
const BETWEEN_TURNS = 256

/** Groups, the common values of each group, and the keys in the order of their digests. */
export interface KeyedRows {
  readonly groups: readonly GroupKey[]
  readonly common: readonly Row[]
  readonly keys: readonly string[]
}

/** Writes the index by key of a table: blocks with the rows of one key each, and planes with the earnings of all keys. */
export class KeyFileWriter {
  /** Columns with several values in some group, in the order of the columns of `RowsByKey`. */
  readonly stored: readonly StoredColumn[]
  readonly #resource: Resource
  readonly #rows: KeyedRows
  readonly #parts: PartsWriter
  readonly #blocks: BlocksWriter
  readonly #planes: PlanesWriter
  readonly #firstBlocks: Uint32Array
  #key = -1

  private constructor(resource: Resource, rows: KeyedRows, parts: PartsWriter) {
    this.#resource = resource
    this.#rows = rows
    this.#parts = parts
    const varied = keyedColumns(resource).filter((name) => rows.common.some((row) => row[name] === undefined))
    const columns = keyedStoredColumns(resource, varied)
    this.stored = columns.slice(2)
    this.#blocks = new BlocksWriter(parts, columns, MOST_KEY_ROWS)
    this.#planes = new PlanesWriter(rows.groups)
    this.#firstBlocks = new Uint32Array(rows.keys.length + 1)
    for (const key of rows.keys) this.#blocks.columns[1]?.texts.numberOf(Buffer.from(key).toString('latin1'))
  }

  static async create(path: string, resource: Resource, rows: KeyedRows): Promise<KeyFileWriter> {
    return new KeyFileWriter(resource, rows, await PartsWriter.create(path, KEYS_MAGIC))
  }

  /** Returns the number of a text of a `stored` column. */
  readonly numberText: NumberText = (column, text) =>
    this.#blocks.columns[column + 2]?.texts.numberOf(text) ?? -1

  /** Errors: the reason of the signal. */
  async append(rows: RowsByKey, signal?: AbortSignal): Promise<void> {
    const [groups, keys, ...stored] = this.#blocks.columns.map(({ numbers }) => numbers)
    const summed = this.#summed()
    for (let row = 0; row < rows.rows; row += 1) {
      const key = rows.keyOf(row)
      if (key !== this.#key) this.#beginKey(key)
      else if (this.#blocks.inBlock === MOST_KEY_ROWS) this.#blocks.finishBlock()
      // Zigzag: the lowest bit is the sign.
      groups?.add(rows.groupOf(row) * 2, 0)
      keys?.add(key, 0)
      for (let column = 0; column < stored.length; column += 1) {
        if (rows.isNull(row, column)) stored[column]?.addNull()
        else stored[column]?.add(rows.half(row, column, 0), rows.half(row, column, 1))
      }
      this.#planes.add(rows, row, summed)
      this.#blocks.count(1)
      if (row % BETWEEN_TURNS === 0 && isSliceOver()) {
        await this.#parts.flush()
        await nextSlice(signal)
      }
    }
    await this.#parts.flush()
  }

  async finish(sources: KeyFileContents['sources']): Promise<string> {
    const { keys, groups, common } = this.#rows
    this.#beginKey(keys.length)
    const { name: table, earned: summed = [] } = this.#resource
    const contents: KeyFileContents = {
      ...{ table, summed, sources },
      columns: describeKeyed(this.#resource),
      stored: this.stored.map(({ name }) => name),
      groups: groups.map((group, index) => ({ ...group, common: common[index] ?? {} })),
      planes: await this.#planes.finish(this.#parts, keys.length),
      ...this.#blocks.finish(),
      order: this.#parts.append(writeOrder(orderOfKeys(keys))),
      firstBlocks: this.#parts.append(Buffer.from(this.#firstBlocks.buffer)),
    }
    await this.#parts.finish(writeContents(this.#resource, contents))
    return nameOf(contents)
  }

  close(): Promise<void> {
    return this.#parts.close()
  }

  #summed(): readonly SummedColumn[] {
    return (this.#resource.earned ?? []).map((earned) => {
      const shared = this.#rows.common.map((row) => bigintOf(row[earned] ?? 0n))
      const column = this.stored.findIndex(({ name }) => name === earned)
      return { column, commonOf: (group) => shared[group] ?? 0n }
    })
  }

  /** Requires keys in ascending order, each with at least one row. */
  #beginKey(key: number): void {
    if (key !== this.#key + 1) throw new Error(`rows of key ${key} came after those of key ${this.#key}`)
    this.#blocks.finishBlock()
    this.#key = key
    this.#firstBlocks[key] = this.#blocks.blocks
  }
}
