import type { Value } from '../catalog/column.ts'
import type { Resource } from '../catalog/resource.ts'
import { type StoredColumn, storedColumns } from './stored-columns.ts'

/** The column by which the rows of a file are sorted first; undefined where that is not one of numbers or texts in ascending order. */
export function leadingOf(resource: Resource): StoredColumn | undefined {
  const [step] = resource.order
  if (step === undefined || step.descending) return undefined
  const leading = storedColumns(resource).find(({ name }) => name === step.column)
  return leading?.as === 'text' || leading?.as === 'signed' ? leading : undefined
}

/** What a value is compared with: numbers by size, texts by their bytes. */
export type Fence = bigint | Buffer

export function fenceOf(value: NonNullable<Value>): Fence {
  return typeof value === 'bigint' || typeof value === 'number' ? BigInt(value) : Buffer.from(String(value))
}

export function compareFences(a: Fence, b: Fence): number {
  if (typeof a === 'bigint' || typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0
  return Buffer.compare(a, b)
}

/** Compares bytes from `start` to `end` with others, as a call of the runtime does, which takes longer than keys of some bytes. */
export function compareAt(bytes: Uint8Array, start: number, end: number, other: Uint8Array): number {
  const length = end - start
  for (let at = 0; at < length && at < other.length; at += 1) {
    const difference = (bytes[start + at] as number) - (other[at] as number)
    if (difference !== 0) return difference
  }
  return length - other.length
}

/** Gathers the first value of each block, and the last one of all. */
export class Fences {
  readonly #leading: StoredColumn
  readonly #values: Fence[] = []
  #isWhole = true

  constructor(leading: StoredColumn) {
    this.#leading = leading
  }

  get column(): string {
    return this.#leading.name
  }

  /** Whether every block begins with a value. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  add(value: Value): void {
    if (value === null) this.#isWhole = false
    else this.#values.push(fenceOf(value))
  }

  /** Numbers in 8 bytes each; of texts first the lengths, in 4 bytes each. */
  take(): Buffer {
    const heads = this.#values.map((value) => {
      const head = Buffer.alloc(typeof value === 'bigint' ? 8 : 4)
      if (typeof value === 'bigint') head.writeBigInt64LE(value)
      else head.writeUInt32LE(value.length)
      return head
    })
    return Buffer.concat([
      ...heads,
      ...this.#values.flatMap((value) => (typeof value === 'bigint' ? [] : [value])),
    ])
  }
}

/** The first values of blocks, in memory; that behind the last block is the last value of all. */
export interface OpenFences {
  /** How the first value of a block compares with another one. */
  compare(block: number, other: Fence): number
}

export function openFences({ as }: StoredColumn, bytes: Buffer, blocks: number): OpenFences {
  if (as === 'signed')
    return { compare: (block, other) => compareFences(bytes.readBigInt64LE(block * 8), other) }
  const starts = new Uint32Array(blocks + 2)
  starts[0] = (blocks + 1) * 4
  for (let block = 0; block <= blocks; block += 1)
    starts[block + 1] = (starts[block] as number) + bytes.readUInt32LE(block * 4)
  return {
    compare(block, other) {
      if (typeof other === 'bigint') throw new TypeError('a text is compared with a number')
      return compareAt(bytes, starts[block] as number, starts[block + 1] as number, other)
    },
  }
}
