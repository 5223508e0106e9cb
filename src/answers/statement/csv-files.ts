import { createHash } from 'node:crypto'
import { isSliceOver, nextSlice } from '../../base/slices.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import { type OwnValue, statementLines } from './csv.ts'
import type { OwnPrices } from './lines/price-lines.ts'
import type { RewardRow } from './reward-facts.ts'
import { tokenNames } from './share-tables.ts'
import { type StatementSums, sorted } from './sums.ts'

/** CSV bytes of one token; consecutive parts form its file. */
export interface StatementPart {
  readonly token: string
  readonly bytes: Buffer
}

export const csvName = (token: string) => `rewards-${token.toLowerCase()}.csv`
export const csvNames: readonly string[] = tokenNames.map(csvName)

export interface FileRequest {
  /** Limits the statement to one token; then no totals are compared and the summary is empty. */
  readonly token?: string | undefined
  /** Values rewards also at these prices. */
  readonly prices?: OwnPrices | undefined
  /** Language of the marks of the CSV, such as de. */
  readonly locale?: string | undefined
}

const linesOf = ({ locale, prices }: FileRequest) => statementLines(locale, prices !== undefined)

/** Returns the content of a file without rewards. */
export const headerOf = (request: FileRequest): Buffer => Buffer.from(linesOf(request).header)

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
  readonly #request: FileRequest
  readonly #lines: ReturnType<typeof statementLines>

  constructor(sums: StatementSums, request: FileRequest) {
    this.#sums = sums
    this.#request = request
    this.#lines = linesOf(request)
  }

  async *write(rows: readonly RewardRow[], signal?: AbortSignal): AsyncGenerator<StatementPart> {
    for (let first = 0; first < rows.length; first += ROWS_AT_ONCE) {
      if (isSliceOver()) await nextSlice(signal)
      yield* this.#write(rows.slice(first, first + ROWS_AT_ONCE))
    }
  }

  *#write(rows: readonly RewardRow[]): Generator<StatementPart> {
    const written = new Map<string, CsvFile>()
    const { token: only } = this.#request
    let [lastKey, hotspot]: [string | undefined, string] = [undefined, '']
    for (const row of rows) {
      const { facts, key, name, earned } = row
      const { token, rate } = facts
      if (!facts.isStated || (only !== undefined && token !== only)) continue
      if (key !== lastKey) [lastKey, hotspot] = [key, this.#lines.hotspotCells(key, name)]
      const usd = rate === null ? null : earned * rate
      let file = written.get(token)
      if (file === undefined) {
        file = this.#files.get(token) ?? new CsvFile(this.#lines.header)
        this.#files.set(token, file)
        written.set(token, file)
      }
      const inCurrency = this.#valueOf(row)
      file.add(this.#lines.line(row, hotspot, usd, inCurrency))
      this.#sums.add(row, usd, inCurrency?.value ?? null)
    }
    for (const [token, file] of written) yield { token, bytes: file.take() }
  }

  #valueOf({ facts: { day, token, unit }, earned }: RewardRow): OwnValue | undefined {
    const { prices } = this.#request
    if (prices === undefined) return undefined
    const { currency } = prices
    const price = prices.priceOf(day, token) ?? null
    if (price === null || unit === null) return { currency, price: null, value: null }
    return { currency, price, value: earned * unit * price }
  }

  toJson(): readonly JsonObject[] {
    return sorted(this.#files).map(([token, { rows, bytes, hash }]) => ({
      ...{ name: csvName(token), token, rows, bytes, sha256: hash.digest('hex') },
    }))
  }
}
