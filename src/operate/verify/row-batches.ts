import type { RowsCheck } from './check.ts'
import { type Finding, isFault } from './finding.ts'
import type { SharedReader } from './shared-reader.ts'

/** Batch limits. Beyond them, a statement takes longer to run than to start. */
const MOST_FILES = 64
const MOST_ROWS = 200_000

interface Waiting {
  readonly rows: RowsCheck
  readonly onFindings: (inspected: readonly Finding[]) => void
}

/** Reads the rows of small files in batches: one statement per file would take longer to start than to run. */
export class RowBatches {
  readonly #reader: SharedReader
  readonly #waiting = new Map<string, readonly Waiting[]>()
  readonly #begun: Promise<void>[] = []

  constructor(reader: SharedReader) {
    this.#reader = reader
  }

  /** Queues a file; calls `onFindings` before `end` returns. */
  add(rows: RowsCheck, onFindings: Waiting['onFindings']): void {
    const { resource, file } = rows
    const key = [resource.name, ...file.lacks].join()
    const isLong = file.rows >= MOST_ROWS
    const batch = [...(isLong ? [] : (this.#waiting.get(key) ?? [])), { rows, onFindings }]
    const rowCount = batch.reduce((sum, item) => sum + item.rows.file.rows, 0)
    if (!isLong) this.#waiting.delete(key)
    if (batch.length >= MOST_FILES || rowCount >= MOST_ROWS) this.#begin(batch)
    else this.#waiting.set(key, batch)
  }

  /** Waits until all files are checked. */
  async end(): Promise<void> {
    for (const batch of this.#waiting.values()) this.#begin(batch)
    this.#waiting.clear()
    await Promise.all(this.#begun)
  }

  #begin(batch: readonly Waiting[]): void {
    this.#begun.push(this.#check(batch))
  }

  async #check(batch: readonly Waiting[]): Promise<void> {
    const [one, ...others] = batch
    if (one === undefined) return
    try {
      const files = batch.map(({ rows }) => rows.file)
      const inspected = await this.#reader.use((reader) => reader.inspectFiles(one.rows.resource, files))
      const findingsOf = batch.map(({ rows }, index) => {
        const item = inspected[index]
        return item === undefined ? [] : rows.compare(item)
      })
      // Check a file that differs alone before reporting it.
      const isSure = others.length === 0
      for (const [index, item] of batch.entries()) {
        const findings = findingsOf[index] ?? []
        if (isSure || !findings.some(isFault)) item.onFindings(findings)
        else await this.#check([item])
      }
    } catch (error) {
      if (others.length === 0) one.onFindings(one.rows.failed(error))
      else for (const item of batch) await this.#check([item])
    }
  }
}
