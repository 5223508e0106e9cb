import { createHash } from 'node:crypto'
import { isSliceOver, nextSlice } from '../../base/slices.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import { csvLines } from './csv.ts'
import { type RewardRow, tokenNames } from './reward-rows.ts'
import { type StatementSums, sorted } from './sums.ts'

/** CSV bytes of one token; consecutive parts form its file. */
export interface StatementPart {
  readonly token: string
  readonly bytes: Buffer
}

export const csvName = (token: string) => `rewards-${token}.csv`
export const csvNames: readonly string[] = tokenNames.map(csvName)

/** Writes rewards as CSV lines per token, and sums them. */
export class CsvFiles {
  readonly #files = new Map<
    string,
    { rows: number; bytes: number; readonly hash: ReturnType<typeof createHash> }
  >()
  readonly #sums: StatementSums
  readonly #only: string | undefined

  /** `only` limits the statement to one token. */
  constructor(sums: StatementSums, only: string | undefined) {
    this.#sums = sums
    this.#only = only
  }

  async *write(rows: readonly RewardRow[], signal?: AbortSignal): AsyncGenerator<StatementPart> {
    for (const token of new Set(rows.map((row) => row.token))) {
      if (isSliceOver()) await nextSlice(signal)
      if (this.#only !== undefined && token !== this.#only) continue
      const ofToken = rows.filter((row) => row.token === token)
      for (const row of ofToken) this.#sums.add(row)
      const file = this.#files.get(token) ?? { rows: 0, bytes: 0, hash: createHash('sha256') }
      const bytes = await csvLines(ofToken, file.rows === 0)
      this.#files.set(token, file)
      file.rows += ofToken.length
      file.bytes += bytes.length
      file.hash.update(bytes)
      yield { token, bytes }
    }
  }

  toJson(): readonly JsonObject[] {
    return sorted(this.#files).map(([token, { rows, bytes, hash }]) => ({
      ...{ name: csvName(token), token, rows, bytes, sha256: hash.digest('hex') },
    }))
  }
}
