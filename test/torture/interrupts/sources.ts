import assert from 'node:assert/strict'
import { join } from 'node:path'
import { tablesOf } from '../../support/lakes/leftovers.ts'
import { type ExactRow, type LoggedFile, readExactRows } from '../../support/tables/delta-table.ts'
import { factsOf } from '../../support/tables/file-facts.ts'
import { liveFiles, wholeFile } from '../../support/tables/whole-log.ts'

/** Sources of a lake, read by other means than the program's, with its log held against its files. */

/** Rows of one source in one table: their number, and the sum of every column of integers that is not 0. */
export interface SourceSums {
  readonly table: string
  readonly name: string
  readonly rows: number
  readonly sums: Readonly<Record<string, bigint>>
}

/** A row by itself. A row that is stored twice shows in the sum of its ordinals. */
export function sumsOfRow(table: string, row: ExactRow): SourceSums {
  const numbers = Object.entries(row).filter(([, value]) => typeof value === 'bigint' && value !== 0n)
  return { table, name: String(row.source_file), rows: 1, sums: Object.fromEntries(numbers) as never }
}

export function addUp(parts: Iterable<SourceSums>): readonly SourceSums[] {
  const sources = new Map<
    string,
    { table: string; name: string; rows: number; sums: Record<string, bigint> }
  >()
  for (const { table, name, rows, sums } of parts) {
    const key = `${table} ${name}`
    const source = sources.get(key) ?? { table, name, rows: 0, sums: {} }
    sources.set(key, source)
    source.rows += rows
    for (const [column, sum] of Object.entries(sums)) source.sums[column] = (source.sums[column] ?? 0n) + sum
  }
  return [...sources.values()]
}

/** Data files never change, so each is read once. */
const read = new Map<string, readonly SourceSums[]>()

async function sourcesOf(lake: string, table: string, file: LoggedFile): Promise<readonly SourceSums[]> {
  const { path, digest } = wholeFile(join(lake, table), file)
  const sources = read.get(digest) ?? addUp((await readExactRows(path)).map((row) => sumsOfRow(table, row)))
  read.set(digest, sources)
  const counts = (named: readonly { name: string; rows: number }[]) =>
    named.map(({ name, rows }) => `${name}: ${rows}`).sort()
  const tagged = factsOf(join(lake, table), file).sources
  assert.deepEqual(counts(sources), counts(tagged), `${path} does not hold the sources that its entry names`)
  return sources
}

/** Every source in the live files of a lake. */
export async function visibleSources(lake: string): Promise<readonly SourceSums[]> {
  const files = tablesOf(lake).flatMap((table) =>
    liveFiles(join(lake, table)).map((file) => sourcesOf(lake, table, file)),
  )
  return addUp((await Promise.all(files)).flat())
}

/** Each source as text that two equal ones share, in the order of texts. */
export function textsOf(sources: readonly SourceSums[]): readonly string[] {
  const texts = sources.map(({ table, name, rows, sums }) => {
    const columns = Object.entries(sums).map(([column, sum]) => `${column} ${sum}`)
    return `${table} ${name}: ${rows} rows, ${columns.sort().join(', ')}`
  })
  return texts.sort()
}

export function rowsOf(sources: readonly SourceSums[]): number {
  return sources.reduce((sum, { rows }) => sum + rows, 0)
}

/** The live files of a lake hold exactly these sources. */
export async function checkSources(lake: string, sources: readonly SourceSums[]): Promise<void> {
  assert.deepEqual(textsOf(await visibleSources(lake)), textsOf(sources), `sources of ${lake}`)
}
