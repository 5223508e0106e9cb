import { sentenceOf } from '../../base/errors.ts'
import type { IngestWriter } from '../ports/ingest-writer.ts'
import { FileFault } from '../wire/faults.ts'
import { type ExportedSources, openExportedSources } from './exported/exported-sources.ts'
import type { ArtifactKind } from './files/artifact.ts'
import type { InputFile } from './files/list-files.ts'
import type { IngestCounts } from './ingest-counts.ts'

const NO_SOURCES =
  'it does not record the sources of its rows; expected a file of `ledgerlake export --all --format duckdb` without --owner, or a Parquet file of a list with all columns and no filter but its days'

/** Opens the files of exports, and counts those that cannot be used. A folder may contain other DuckDB files. */
export async function openExports(
  writer: IngestWriter,
  files: readonly InputFile[],
  { paths, kinds }: { readonly paths: readonly string[]; readonly kinds: readonly ArtifactKind[] },
  counts: IngestCounts,
): Promise<readonly ExportedSources[]> {
  const opened: ExportedSources[] = []
  for (const file of files) {
    const { path } = file
    try {
      const sources = await openExportedSources(writer, file, kinds)
      if (sources !== undefined) opened.push(sources)
      else if (paths.includes(path)) counts.countUnreadable({ path, reason: NO_SOURCES })
      else counts.countUnknown(path)
      counts.expectArtifacts(sources?.artifacts ?? [])
      for (const reason of sources?.faults ?? []) counts.countUnreadable({ path, reason })
    } catch (error) {
      if (!(error instanceof FileFault)) throw error
      counts.countUnreadable({ path, reason: sentenceOf(error) })
    }
  }
  return opened
}
