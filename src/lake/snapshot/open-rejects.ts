import { rejects } from '../../catalog/lake/rejects.ts'
import { type RowOf, rowsOf } from '../../catalog/resource.ts'
import { resources } from '../../catalog/resources.ts'
import type { StoredFile } from '../facts/data-file.ts'
import { compareBytes, type Source, sourceKey } from '../facts/source.ts'
import type { ReadStretch } from '../ports/content-reader.ts'
import type { Snapshot, TableSnapshot } from './snapshot.ts'

export type Reject = RowOf<typeof rejects>

/** The rejects of one ingested source: their rows, and which of them were ingested later. */
export interface RejectsOfSource extends Source {
  readonly file: StoredFile
  /** Rows `first` up to but not including `end` of the file. */
  readonly first: number
  readonly end: number
  readonly retried: ReadonlySet<bigint>
}

const REJECTS_PER_READ = 1000

/**
 * Finds the sources of `tables` with open rejects, in the order of the rejects. A reject is open if its source was
 * ingested with the same bytes and the reject was not. Opens no file.
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
  const open: RejectsOfSource[] = []
  for (const file of rejected.files) {
    let end = 0
    for (const { kind, name, sha256, rows } of [...file.sources].sort(compareSources)) {
      const first = end
      end += rows
      const retried = retriedOf(sourceKey({ kind, name }), sha256)
      if (retried === undefined || retried.length >= rows) continue
      open.push({ kind, name, sha256, file, first, end, retried: new Set(retried) })
    }
  }
  return open.sort(compareSources)
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

/** Reads the open rejects of a source by ascending ordinal, in batches. */
export async function* readOpenRejects(source: RejectsOfSource, read: ReadStretch): AsyncGenerator<Reject> {
  const { file, retried } = source
  for (let first = source.first; first < source.end; first += REJECTS_PER_READ) {
    const end = Math.min(source.end, first + REJECTS_PER_READ)
    for (const reject of rowsOf(rejects, await read(rejects, file, { first, end }))) {
      if (!retried.has(reject.ordinal)) yield reject
    }
  }
}

/** Order of a rejects file, in which the rows of a source are consecutive. */
function compareSources(a: Source, b: Source): number {
  return compareBytes(a.kind, b.kind) || compareBytes(a.name, b.name)
}
