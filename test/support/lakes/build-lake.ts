import { artifactKinds } from '../../../src/write/ingest/files/artifact.ts'
import type { IngestSummary } from '../../../src/write/ingest/ingest-counts.ts'
import { type IngestRequest, ingest } from '../../../src/write/ingest/pipeline.ts'
import { openTestWriter } from '../open-test-writer.ts'

/** Ingests paths into a lake, with the settings that tests want. */
export function ingestInto(
  lake: string,
  paths: readonly string[],
  options: Partial<IngestRequest> = {},
): Promise<IngestSummary> {
  return ingest({
    lake,
    paths,
    kinds: artifactKinds,
    maxRejects: undefined,
    replace: false,
    replaceAll: false,
    commitRows: 1_000_000,
    openWriter: openTestWriter,
    ...options,
  })
}
