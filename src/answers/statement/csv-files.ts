import { createHash } from 'node:crypto'
import { isSliceOver, nextSlice } from '../../base/slices.ts'
import { formatAmount, STORED_SCALE } from '../../base/values/decimal.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import { CSV_HEADER, csvLine, hotspotCells, VALUED_HEADER } from './csv.ts'
import type { OwnPrices } from './lines/price-lines.ts'
import { type RewardRow, VALUE_SCALE } from './reward-facts.ts'
import { tokenNames } from './share-tables.ts'
import { type StatementSums, sorted } from './sums.ts'

/** CSV bytes of one token; consecutive parts form its file. */
export interface StatementPart {
  readonly token: string
  readonly bytes: Buffer
}

export const csvName = (token: string) => `rewards-${token.toLowerCase()}.csv`
export const csvNames: readonly string[] = tokenNames.map(csvName)

/** Some milliseconds of work. */
const ROWS_AT_ONCE = 2048

/** The file of one token, with the lines that are not sent yet. */
class CsvFile {
  rows = 0
  bytes = 0
  readonly hash = createHash('sha256')
  #lines: string

  constructor(header: string) {
    this.#lines = header
  }

  add(line: string): void {
    this.rows += 1
    this.#lines += line
  }

  take(): Buffer {
    const bytes = Buffer.from(this.#lines)
    this.#lines = ''
    this.bytes += bytes.length
    this.hash.update(bytes)
    return bytes
  }
}

/** Writes rewards as CSV lines per token, and sums them. */
export class CsvFiles {
  readonly #files = new Map<string, CsvFile>()
  readonly #sums: StatementSums
  readonly #only: string | undefined
  readonly #prices: OwnPrices | undefined

  /** `only` limits the statement to one token. */
  constructor(sums: StatementSums, only: string | undefined, prices: OwnPrices | undefined) {
    this.#sums = sums
    this.#only = only
    this.#prices = prices
  }

  async *write(rows: readonly RewardRow[], signal?: AbortSignal): AsyncGenerator<StatementPart> {
    for (let first = 0; first < rows.length; first += ROWS_AT_ONCE) {
      if (isSliceOver()) await nextSlice(signal)
      yield* this.#write(rows.slice(first, first + ROWS_AT_ONCE))
    }
  }

  *#write(rows: readonly RewardRow[]): Generator<StatementPart> {
    const written = new Map<string, CsvFile>()
    let [lastKey, hotspot]: [string | undefined, string] = [undefined, '']
    for (const row of rows) {
      const { facts, key, name, earned } = row
      const { token, rate } = facts
      if (!facts.isStated || (this.#only !== undefined && token !== this.#only)) continue
      if (key !== lastKey) [lastKey, hotspot] = [key, hotspotCells(key, name)]
      const usd = rate === null ? null : earned * rate
      let file = written.get(token)
      if (file === undefined) {
        file = this.#files.get(token) ?? new CsvFile(this.#prices ? VALUED_HEADER : CSV_HEADER)
        this.#files.set(token, file)
        written.set(token, file)
      }
      const { value, cells } = this.#valueOf(row)
      file.add(csvLine(row, hotspot, usd, cells))
      this.#sums.add(row, usd, value)
    }
    for (const [token, file] of written) yield { token, bytes: file.take() }
  }

  /** The value of a reward at the reader's own price, in units of 10^-26, and its cells. */
  #valueOf({ facts: { day, token, unit }, earned }: RewardRow): { value: bigint | null; cells: string } {
    if (this.#prices === undefined) return { value: null, cells: '' }
    const { currency } = this.#prices
    const price = this.#prices.priceOf(day, token)
    if (price === undefined || unit === null) return { value: null, cells: `,${currency},,` }
    const value = earned * unit * price
    const cells = [currency, formatAmount(price, STORED_SCALE), formatAmount(value, VALUE_SCALE)]
    return { value, cells: `,${cells}` }
  }

  toJson(): readonly JsonObject[] {
    return sorted(this.#files).map(([token, { rows, bytes, hash }]) => ({
      ...{ name: csvName(token), token, rows, bytes, sha256: hash.digest('hex') },
    }))
  }
}
