import { rejects } from '../../catalog/lake/rejects.ts'
import { type RowOf, rowsOf } from '../../catalog/resource.ts'
import { resources } from '../../catalog/resources.ts'
import type { StoredFile } from '../facts/data-file.ts'
import { compareBytes, type Source, sourceKey } from '../facts/source.ts'
import type { ReadStretch } from '../ports/content-reader.ts'
import type { Snapshot, TableSnapshot } from './snapshot.ts'

/** A message that could not be stored as a row, and why. */
export type Reject = RowOf<typeof rejects>

/** The rejects of one ingested source, where they lie, and which of them were ingested since. */
export interface RejectsOfSource extends Source {
  readonly file: StoredFile
  /** Rows `first` up to but not including `end` of the file. */
  readonly first: number
  readonly end: number
  readonly retried: ReadonlySet<bigint>
}

/** Rejects are read so many at a time. */
const READ_AT_ONCE = 1000

/**
 * The sources of `tables` that have open rejects, in the order of the rejects: a reject is open when its source is
 * ingested with the same bytes and the reject is not ingested yet. Nothing here opens a file.
 */
export function openRejects(
  rejected: TableSnapshot,
  tables: readonly TableSnapshot[],
): readonly RejectsOfSource[] {
  const retriedOf = (key: string, sha256: string) =>
    tables
      .filter((table) => table.resource !== rejects)
      .map((table) => table.sources.get(key))
      .find((source) => source?.sha256 === sha256)?.retried
  const found: RejectsOfSource[] = []
  for (const file of rejected.files) {
    let end = 0
    for (const { kind, name, sha256, rows } of [...file.sources].sort(compareSources)) {
      const first = end
      end += rows
      const retried = retriedOf(sourceKey({ kind, name }), sha256)
      if (retried === undefined || retried.length >= rows) continue
      found.push({ kind, name, sha256, file, first, end, retried: new Set(retried) })
    }
  }
  return found.sort(compareSources)
}

export function openRejectsOf(snapshot: Snapshot): readonly RejectsOfSource[] {
  return openRejects(
    snapshot.table(rejects),
    resources.map((resource) => snapshot.table(resource)),
  )
}

export function countOpen(sources: readonly RejectsOfSource[]): number {
  return sources.reduce((count, { first, end, retried }) => count + end - first - retried.size, 0)
}

/** Reads the open rejects of a source by ascending ordinal, few at a time. */
export async function* readOpenRejects(source: RejectsOfSource, read: ReadStretch): AsyncGenerator<Reject> {
  const { file, retried } = source
  for (let first = source.first; first < source.end; first += READ_AT_ONCE) {
    const end = Math.min(source.end, first + READ_AT_ONCE)
    for (const reject of rowsOf(rejects, await read(rejects, file, { first, end }))) {
      if (!retried.has(reject.ordinal)) yield reject
    }
  }
}

/** A file of rejects is sorted in this order, so the rows of a source lie together. */
function compareSources(a: Source, b: Source): number {
  return compareBytes(a.kind, b.kind) || compareBytes(a.name, b.name)
}
