import { bigintOf, integer, text } from '../../catalog/column.ts'
import type { Resource, Row } from '../../catalog/resource.ts'
import type { GroupKey } from '../../lake/series.ts'
import { isSliceOver, nextSlice } from '../../slices.ts'
import { BitWriter } from '../bits.ts'
import { GatheredColumn, writeBlock } from '../block-columns.ts'
import { writePartList } from '../block-layout.ts'
import { type Part, PartsWriter } from '../container.ts'
import { type StoredColumn, storedColumn } from '../stored-columns.ts'
import { TextNumbers } from '../text-numbers.ts'
import { type Contents, describeKeyed, keyedColumns, MAGIC, nameOf, writeContents } from './contents.ts'
import type { NumberText, RowsByKey } from './gather-rows.ts'
import { orderOfKeys, writeOrder } from './key-directory.ts'
import { PlanesWriter, type SummedColumn } from './planes-writer.ts'

/** Rows of a block, all of one key: mostly all that it has. */
const MOST_KEY_ROWS = 1024

/** Rows that are written before others may have their turn. */
const BETWEEN_TURNS = 256

/** The column of numbers of groups. No table has a column of this name. */
const GROUP = '#group'

/** The groups of the rows, the values that all rows of a group share, and the keys in the order of their digests. */
export interface KeyedRows {
  readonly groups: readonly GroupKey[]
  readonly common: readonly Row[]
  readonly keys: readonly string[]
}

/** The columns that blocks have: the group, the key, then those in which rows of some group differ. */
export function keyedStoredColumns(resource: Resource, stored: readonly string[]): readonly StoredColumn[] {
  const { keyed = '', columns } = resource
  // Files of another release may have columns that there are no more; they are passed over.
  const names = [keyed, ...stored].map((name) => storedColumn(name, columns[name] ?? text('')))
  return [storedColumn(GROUP, integer('Number of the group.')), ...names]
}

/** Writes the rows of a table by their keys: blocks that are cut where the key changes, and planes of what each key earned. */
export class KeyFileWriter {
  readonly #resource: Resource
  readonly #rows: KeyedRows
  readonly #parts: PartsWriter
  readonly #stored: readonly string[]
  readonly #columns: readonly StoredColumn[]
  readonly #gathered: readonly GatheredColumn[]
  readonly #texts: readonly TextNumbers[]
  readonly #planes: PlanesWriter
  readonly #bits = new BitWriter()
  readonly #blocks: (Part & { readonly first: number })[] = []
  readonly #firstBlocks: Uint32Array
  #key = -1
  /** Rows that are written, and those of the block that is under way. */
  #written = 0
  #inBlock = 0

  private constructor(resource: Resource, rows: KeyedRows, parts: PartsWriter) {
    this.#resource = resource
    this.#rows = rows
    this.#parts = parts
    this.#stored = keyedColumns(resource).filter((name) => rows.common.some((row) => row[name] === undefined))
    this.#columns = keyedStoredColumns(resource, this.#stored)
    this.#gathered = this.#columns.map(() => new GatheredColumn(MOST_KEY_ROWS))
    this.#texts = this.#columns.map(() => new TextNumbers(parts))
    this.#planes = new PlanesWriter(rows.groups)
    this.#firstBlocks = new Uint32Array(rows.keys.length + 1)
    for (const key of rows.keys) this.#texts[1]?.numberOf(Buffer.from(key).toString('latin1'))
  }

  static async create(path: string, resource: Resource, rows: KeyedRows): Promise<KeyFileWriter> {
    return new KeyFileWriter(resource, rows, await PartsWriter.create(path, MAGIC))
  }

  /** The columns that differ within some group, in the order in which rows come. */
  get stored(): readonly StoredColumn[] {
    return this.#columns.slice(2)
  }

  /** Numbers a text of such a column. */
  readonly numberText: NumberText = (column, text) => (this.#texts[column + 2] as TextNumbers).numberOf(text)

  async append(rows: RowsByKey): Promise<void> {
    const [groupNumbers, keyNumbers, ...gathered] = this.#gathered as [
      GatheredColumn,
      GatheredColumn,
      ...GatheredColumn[],
    ]
    const summed = this.#summed()
    for (let row = 0; row < rows.rows; row += 1) {
      const [key, group] = [rows.keyOf(row), rows.groupOf(row)]
      if (key !== this.#key) this.#beginKey(key)
      else if (this.#inBlock === MOST_KEY_ROWS) this.#finishBlock()
      // The sign of an integer is its lowest bit.
      groupNumbers.add(group * 2, 0)
      keyNumbers.add(key, 0)
      for (let column = 0; column < gathered.length; column += 1) {
        const to = gathered[column] as GatheredColumn
        if (rows.isNull(row, column)) to.addNull()
        else to.add(rows.half(row, column, 0), rows.half(row, column, 1))
      }
      this.#planes.add(rows, row, summed)
      this.#inBlock += 1
      if (row % BETWEEN_TURNS === 0 && isSliceOver()) {
        await this.#parts.flush()
        await nextSlice()
      }
    }
    await this.#parts.flush()
  }

  async finish(sources: Contents['sources']): Promise<string> {
    this.#beginKey(this.#rows.keys.length)
    const texts = this.#columns.map(({ name }, place) => [name, this.#texts[place]?.finish()] as const)
    const { name: table, earned: summed = [] } = this.#resource
    const firstBlocks = Buffer.from(this.#firstBlocks.buffer)
    const contents: Contents = {
      ...{ table, summed, sources, rows: this.#written },
      columns: describeKeyed(this.#resource),
      stored: this.#stored,
      groups: this.#rows.groups.map((group, place) => ({ ...group, common: this.#rows.common[place] ?? {} })),
      planes: await this.#planes.finish(this.#parts, this.#rows.keys.length),
      blocks: this.#parts.append(writePartList(this.#blocks)),
      texts: Object.fromEntries(texts.flatMap(([name, part]) => (part === undefined ? [] : [[name, part]]))),
      order: this.#parts.append(writeOrder(orderOfKeys(this.#rows.keys))),
      firstBlocks: this.#parts.append(firstBlocks),
    }
    await this.#parts.finish(writeContents(this.#resource, contents))
    return nameOf(contents)
  }

  close(): Promise<void> {
    return this.#parts.close()
  }

  #summed(): readonly SummedColumn[] {
    return (this.#resource.earned ?? []).map((name) => {
      const shared = this.#rows.common.map((row) => bigintOf(row[name] ?? 0n))
      return { column: this.#stored.indexOf(name), commonOf: (group) => shared[group] ?? 0n }
    })
  }

  /** Keys come in their order, each with a row at least. */
  #beginKey(key: number): void {
    if (key !== this.#key + 1) throw new Error(`rows of key ${key} came after those of key ${this.#key}`)
    if (this.#inBlock > 0) this.#finishBlock()
    this.#key = key
    this.#firstBlocks[key] = this.#blocks.length
  }

  #finishBlock(): void {
    const block = this.#parts.append(writeBlock(this.#gathered, this.#bits))
    this.#blocks.push({ ...block, first: this.#written })
    this.#written += this.#inBlock
    this.#inBlock = 0
  }
}
