import { createHash } from 'node:crypto'
import { isSliceOver, nextSlice } from '../../base/slices.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import { CSV_HEADER, csvLine, hotspotCells } from './csv.ts'
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

/** Some milliseconds of work. */
const ROWS_AT_ONCE = 2048

/** The file of one token, with the lines that are not sent yet. */
class CsvFile {
  rows = 0
  bytes = 0
  readonly hash = createHash('sha256')
  #lines = CSV_HEADER

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

  /** `only` limits the statement to one token. */
  constructor(sums: StatementSums, only: string | undefined) {
    this.#sums = sums
    this.#only = only
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
        file = this.#files.get(token) ?? new CsvFile()
        this.#files.set(token, file)
        written.set(token, file)
      }
      file.add(csvLine(row, hotspot, usd))
      this.#sums.add(row, usd)
    }
    for (const [token, file] of written) yield { token, bytes: file.take() }
  }

  toJson(): readonly JsonObject[] {
    return sorted(this.#files).map(([token, { rows, bytes, hash }]) => ({
      ...{ name: csvName(token), token, rows, bytes, sha256: hash.digest('hex') },
    }))
  }
}
