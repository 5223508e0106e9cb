import type { Steps } from '../../../base/slices.ts'
import { int32At, uint32At } from '../../../base/values/typed-at.ts'
import { type BlockFile, countBlocks } from '../../blocks/block-file.ts'
import { BlockReading } from '../../blocks/block-reading.ts'
import type { StoredColumn } from '../../blocks/stored-columns.ts'
import type { Survey } from './survey-rows.ts'

/** Rows to sort between two yields. */
const ORDERED_AT_ONCE = 4096

/** Returns the number of a column's text, which has one character per byte. */
export type NumberText = (column: number, text: string) => number

/** Rows of some keys, sorted by key, group and ordinal. The values of a row are adjacent in memory. */
export class RowsByKey {
  readonly rows: number
  readonly #words: Uint32Array
  readonly #bitWords: number
  readonly #rowWords: number

  constructor(rows: number, columns: number) {
    this.#bitWords = Math.ceil(columns / 32)
    this.#rowWords = 2 + this.#bitWords + columns * 2
    this.rows = rows
    this.#words = new Uint32Array(rows * this.#rowWords)
  }

  keyOf(row: number): number {
    return uint32At(this.#words, row * this.#rowWords)
  }

  groupOf(row: number): number {
    return uint32At(this.#words, row * this.#rowWords + 1)
  }

  isNull(row: number, column: number): boolean {
    const bits = uint32At(this.#words, row * this.#rowWords + 2 + (column >>> 5))
    return (bits & (1 << (column & 31))) === 0
  }

  /** Returns the lower (0) or upper (1) half of a number; 0 for a null. */
  half(row: number, column: number, which: 0 | 1): number {
    return uint32At(this.#words, row * this.#rowWords + 2 + this.#bitWords + column * 2 + which)
  }

  place(row: number, key: number, group: number): void {
    this.#words[row * this.#rowWords] = key
    this.#words[row * this.#rowWords + 1] = group
  }

  set(row: number, column: number, low: number, high: number): void {
    const start = row * this.#rowWords + 2
    const bits = start + (column >>> 5)
    this.#words[bits] = uint32At(this.#words, bits) | (1 << (column & 31))
    this.#words[start + this.#bitWords + column * 2] = low
    this.#words[start + this.#bitWords + column * 2 + 1] = high
  }

  /** Swaps two rows. */
  swap(a: number, b: number): void {
    const width = this.#rowWords
    const row = this.#words.slice(a * width, (a + 1) * width)
    this.#words.copyWithin(a * width, b * width, (b + 1) * width)
    this.#words.set(row, b * width)
  }
}

/** Gathers the rows of keys `from` to `to`, without `to`, by counting sort. Errors: DamagedFile. */
export function* gatherRows(
  { lists, starts }: Pick<Survey, 'lists' | 'starts'>,
  columns: readonly StoredColumn[],
  numberText: NumberText,
  from: number,
  to: number,
): Steps<RowsByKey> {
  const base = uint32At(starts, from)
  const gathered = new RowsByKey(uint32At(starts, to) - base, columns.length)
  const next = starts.slice(from, to)
  for (const { list, keys, groups } of lists) {
    const copyRow = copier(list, columns, numberText, gathered)
    for (let block = 0; block < countBlocks(list.rows); block += 1) {
      const end = list.firstRowOf(block + 1)
      for (let row = list.firstRowOf(block); row < end; row += 1) {
        const key = int32At(keys, row)
        if (key < from || key >= to) continue
        const index = uint32At(next, key - from)
        next[key - from] = index + 1
        gathered.place(index - base, key, int32At(groups, row))
        copyRow(row, index - base)
      }
      yield
    }
  }
  const ordinal = columns.findIndex(({ name }) => name === 'ordinal')
  for (let row = 1; row < gathered.rows; row += 1) {
    if (row % ORDERED_AT_ONCE === 0) yield
    for (let at = row; at > 0 && isBehind(gathered, at - 1, at, ordinal); at -= 1) gathered.swap(at - 1, at)
  }
  return gathered
}

interface CopiedColumn extends Pick<StoredColumn, 'as'> {
  readonly column: number
  /** Column number in the file. */
  readonly from: number
  /** Numbers of its texts here, by their numbers in the file. */
  readonly renumbered: number[]
}

/** Returns a function that copies a row. It renumbers texts, whose numbers differ between files. */
function copier(
  list: BlockFile,
  columns: readonly StoredColumn[],
  numberText: NumberText,
  to: RowsByKey,
): (row: number, index: number) => void {
  const reading = new BlockReading(list)
  const copied = columns.map(({ name, as }, column): CopiedColumn => {
    return { column, from: list.numberOf(name), as, renumbered: [] }
  })
  const renumber = ({ column, from, renumbered }: CopiedColumn, number: number): number => {
    let text = renumbered[number]
    if (text === undefined) {
      text = numberText(column, reading.bytesOfText(from, number))
      renumbered[number] = text
    }
    return text
  }
  return (row, index) => {
    const block = list.blockOf(row)
    const open = list.block(block)
    const inBlock = row - list.firstRowOf(block)
    for (const column of copied) {
      const at = open.wordOf(column.from, inBlock)
      if (at < 0) continue
      const [low, high] = [uint32At(open.words, at), uint32At(open.words, at + 1)]
      if (column.as === 'text') to.set(index, column.column, renumber(column, low), 0)
      else if (column.as === 'either' && (low & 1) === 1)
        to.set(index, column.column, renumber(column, low >>> 1) * 2 + 1, 0)
      else to.set(index, column.column, low, high)
    }
  }
}

/** Returns whether row `a` sorts after row `b`. Rows of one file are already in order. */
function isBehind(rows: RowsByKey, a: number, b: number, ordinal: number): boolean {
  if (rows.keyOf(a) !== rows.keyOf(b)) return false
  const groups = rows.groupOf(a) - rows.groupOf(b)
  if (groups !== 0 || ordinal < 0) return groups > 0
  const highs = rows.half(a, ordinal, 1) - rows.half(b, ordinal, 1)
  return highs === 0 ? rows.half(a, ordinal, 0) > rows.half(b, ordinal, 0) : highs > 0
}
