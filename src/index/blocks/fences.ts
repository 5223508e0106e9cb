import type { Value } from '../../catalog/column.ts'
import type { Resource } from '../../catalog/resource.ts'
import { type StoredColumn, storedColumns } from './stored-columns.ts'
import { headOf, type TextList, textsAt } from './texts.ts'

/** The column by which the rows of a file are sorted first; undefined where that is not one of numbers or texts in ascending order. */
export function leadingOf(resource: Resource): StoredColumn | undefined {
  const [step] = resource.order
  if (step === undefined || step.descending) return undefined
  const leading = storedColumns(resource).find(({ name }) => name === step.column)
  return leading?.as === 'text' || leading?.as === 'signed' ? leading : undefined
}

/** A bound that values are compared with: numbers by size, texts by their bytes. */
export type Fence = NumberFence | TextFence

/** A number, and its halves of 32 bits: the lower one without a sign, the higher one infinite beyond 64 bits. */
export class NumberFence {
  readonly value: bigint
  readonly low: number
  readonly high: number

  constructor(value: bigint) {
    this.value = value
    this.low = Number(value & 0xffffffffn)
    const infinite = value > 0n ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
    this.high = BigInt.asIntN(64, value) === value ? Number(value >> 32n) : infinite
  }

  /** The number with the precision of a double, which only says where to look for it first. */
  get approximate(): number {
    return approximate(this.high, this.low)
  }
}

/** The bytes of a text, and its head. */
export class TextFence {
  readonly bytes: Buffer
  readonly head: number

  constructor(text: string) {
    this.bytes = Buffer.from(text)
    this.head = headOf(this.bytes, 0, this.bytes.length)
  }

  get approximate(): number {
    return rankOf(this.head)
  }
}

const approximate = (high: number, low: number) => high * 2 ** 32 + low

const LETTERS_AND_DIGITS = Buffer.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
/** How many letters and digits are below each byte. Keys consist of these: their bytes leave gaps, their ranks do not. */
const RANKS = Uint8Array.from(
  { length: 256 },
  (_, byte) => LETTERS_AND_DIGITS.filter((own) => own < byte).length,
)

/** About how great a text is, by its head. */
function rankOf(head: number): number {
  let rank = 0
  for (let shift = 24; shift >= 0; shift -= 8) rank = rank * 63 + (RANKS[(head >>> shift) & 255] as number)
  return rank
}

export function fenceOf(value: NonNullable<Value>): Fence {
  const isNumber = typeof value === 'bigint' || typeof value === 'number'
  return isNumber ? new NumberFence(BigInt(value)) : new TextFence(String(value))
}

/** Errors: TypeError for a number and a text. */
export function compareFences(a: Fence, b: Fence): number {
  if (a instanceof NumberFence && b instanceof NumberFence)
    return a.value < b.value ? -1 : a.value > b.value ? 1 : 0
  if (a instanceof NumberFence || b instanceof NumberFence)
    throw new TypeError('a text is compared with a number')
  return Buffer.compare(a.bytes, b.bytes)
}

/** Compares a text of some with another one: mostly their heads differ, so that nothing else is looked at. */
export function compareTexts({ bytes, places }: TextList, index: number, other: TextFence): number {
  const difference = (places[index * 2] as number) - other.head
  if (difference !== 0) return difference
  return compareBytes(bytes, places[index * 2 + 1] as number, places[index * 2 + 3] as number, other.bytes)
}

/** Compares bytes from `start` to `end` with others, as a call of the runtime does, which takes longer than keys of some bytes. */
function compareBytes(bytes: Uint8Array, start: number, end: number, other: Uint8Array): number {
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
      const head = Buffer.alloc(value instanceof NumberFence ? 8 : 4)
      if (value instanceof NumberFence) head.writeBigInt64LE(value.value)
      else head.writeUInt32LE(value.bytes.length)
      return head
    })
    const texts = this.#values.flatMap((value) => (value instanceof NumberFence ? [] : [value.bytes]))
    return Buffer.concat([...heads, ...texts])
  }
}

/** The first values of blocks, in memory; that behind the last block is the last value of all. */
export interface OpenFences {
  /** How the first value of a block compares with another one. */
  compare(block: number, other: Fence): number
  /** About how great the first value of a block is, as `approximate` of a fence. */
  approximate(block: number): number
}

export function openFences({ as }: StoredColumn, bytes: Buffer, blocks: number): OpenFences {
  if (as === 'signed') {
    const words = new Int32Array(bytes.buffer, bytes.byteOffset, (blocks + 1) * 2)
    return {
      compare(block, other) {
        if (!(other instanceof NumberFence)) throw new TypeError('a number is compared with a text')
        const above = (words[block * 2 + 1] as number) - other.high
        return above === 0 ? ((words[block * 2] as number) >>> 0) - other.low : above
      },
      approximate: (block) => approximate(words[block * 2 + 1] as number, (words[block * 2] as number) >>> 0),
    }
  }
  const texts = textsAt(bytes, 0, blocks + 1)
  return {
    compare(block, other) {
      if (other instanceof NumberFence) throw new TypeError('a text is compared with a number')
      return compareTexts(texts, block, other)
    },
    approximate: (block) => rankOf(texts.places[block * 2] as number),
  }
}
