import { int32At, uint32At } from '../../base/values/typed-at.ts'
import type { Value } from '../../catalog/column.ts'
import type { Resource } from '../../catalog/resource.ts'
import {
  approximateRank,
  compareText,
  SearchNumber,
  type SearchValue,
  toDouble,
  toSearchValue,
} from './search-value.ts'
import { type StoredColumn, toStoredColumns } from './stored-columns.ts'
import { readTextList } from './text-list.ts'

/** Returns the leading sort column; undefined unless it has numbers or texts in ascending order. */
export function leadingOf(resource: Resource): StoredColumn | undefined {
  const [step] = resource.order
  if (step === undefined || step.descending) return undefined
  const leading = toStoredColumns(resource).find(({ name }) => name === step.column)
  return leading?.as === 'text' || leading?.as === 'signed' ? leading : undefined
}

/** Collects the first value of each block, and the last value of the file. */
export class FenceWriter {
  readonly column: string
  readonly #values: SearchValue[] = []
  #hasNull = false

  constructor({ name }: StoredColumn) {
    this.column = name
  }

  /** True if a block begins with a null, so its fence is missing. */
  get hasNull(): boolean {
    return this.#hasNull
  }

  add(value: Value): void {
    if (value === null) this.#hasNull = true
    else this.#values.push(toSearchValue(value))
  }

  /** Returns numbers of 8 bytes each; for texts their lengths of 4 bytes each, then the texts. */
  take(): Buffer {
    const heads = this.#values.map((value) => {
      const head = Buffer.alloc(value instanceof SearchNumber ? 8 : 4)
      if (value instanceof SearchNumber) head.writeBigInt64LE(value.value)
      else head.writeUInt32LE(value.bytes.length)
      return head
    })
    const texts = this.#values.flatMap((value) => (value instanceof SearchNumber ? [] : [value.bytes]))
    return Buffer.concat([...heads, ...texts])
  }
}

/** The first values of blocks, in memory. The last fence is the last value of the file. */
export interface Fences {
  compare(block: number, other: SearchValue): number
  /** Returns the first value of a block as a double, comparable with `approximate` of a search value. */
  approximate(block: number): number
}

export function openFences({ as }: StoredColumn, bytes: Buffer, blocks: number): Fences {
  if (as === 'signed') {
    const words = new Int32Array(bytes.buffer, bytes.byteOffset, (blocks + 1) * 2)
    return {
      compare(block, other) {
        if (!(other instanceof SearchNumber)) throw new TypeError('a number is compared with a text')
        const above = int32At(words, block * 2 + 1) - other.high
        return above === 0 ? (int32At(words, block * 2) >>> 0) - other.low : above
      },
      approximate: (block) => toDouble(int32At(words, block * 2 + 1), int32At(words, block * 2) >>> 0),
    }
  }
  const texts = readTextList(bytes, 0, blocks + 1)
  return {
    compare(block, other) {
      if (other instanceof SearchNumber) throw new TypeError('a text is compared with a number')
      return compareText(texts, block, other)
    },
    approximate: (block) => approximateRank(uint32At(texts.places, block * 2)),
  }
}
