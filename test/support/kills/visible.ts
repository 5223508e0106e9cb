import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type ExactRow, type LoggedFile, readExactRows } from '../delta-table.ts'
import { factsOf } from '../file-facts.ts'
import { tablesOf } from '../leftovers.ts'
import { liveFiles, wholeFile } from '../whole-log.ts'

/** What a lake shows, read by other means than the program's, and its log held against its files. */

/** One source in one table: its rows, and the sum of every column of whole numbers that is not 0. */
export interface SourceSums {
  readonly table: string
  readonly name: string
  readonly rows: number
  readonly sums: Readonly<Record<string, bigint>>
}

/** The sums of rows by their source. A row that is there twice would show in the sum of its ordinals. */
export function sumSources(table: string, rows: readonly ExactRow[]): readonly SourceSums[] {
  const sources = new Map<string, { rows: number; sums: Record<string, bigint> }>()
  for (const row of rows) {
    const name = String(row.source_file)
    const own = sources.get(name) ?? { rows: 0, sums: {} }
    sources.set(name, own)
    own.rows += 1
    for (const [column, value] of Object.entries(row)) {
      if (typeof value === 'bigint' && value !== 0n) own.sums[column] = (own.sums[column] ?? 0n) + value
    }
  }
  return [...sources].map(([name, own]) => ({ table, name, ...own }))
}

/** Adds up what several data files hold of one source. */
function mergeSources(parts: readonly SourceSums[]): readonly SourceSums[] {
  const merged = new Map<string, SourceSums>()
  for (const part of parts) {
    const known = merged.get(part.name)
    const sums = { ...known?.sums }
    for (const [column, sum] of Object.entries(part.sums)) sums[column] = (sums[column] ?? 0n) + sum
    merged.set(part.name, { ...part, rows: part.rows + (known?.rows ?? 0), sums })
  }
  return [...merged.values()]
}

/** Data files never change, so each is read once. */
const read = new Map<string, readonly SourceSums[]>()

async function sourcesOf(lake: string, table: string, file: LoggedFile): Promise<readonly SourceSums[]> {
  const { path, digest } = wholeFile(join(lake, table), file)
  const known = read.get(digest) ?? sumSources(table, await readExactRows(path))
  read.set(digest, known)
  const tagged: readonly { name: string; rows: number }[] = factsOf(join(lake, table), file).sources
  const counts = (sources: readonly { name: string; rows: number }[]) =>
    sources.map(({ name, rows }) => `${name}: ${rows}`).sort()
  assert.deepEqual(counts(known), counts(tagged), `${path} does not hold the sources that its entry names`)
  return known
}

/** Every source that a lake shows, over all its tables. */
export async function visibleSources(lake: string): Promise<readonly SourceSums[]> {
  const visible: SourceSums[] = []
  for (const table of tablesOf(lake)) {
    const parts = await Promise.all(liveFiles(join(lake, table)).map((file) => sourcesOf(lake, table, file)))
    visible.push(...mergeSources(parts.flat()))
  }
  return visible
}

/** What a source is in which table, as text that two equal ones share. */
export function describeSource({ table, name, rows, sums }: SourceSums): string {
  const columns = Object.entries(sums).map(([column, sum]) => `${column} ${sum}`)
  return `${table} ${name}: ${rows} rows, ${columns.sort().join(', ')}`
}
