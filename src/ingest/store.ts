import { rejects } from '../catalog/lake/rejects.ts'
import type { Resource } from '../catalog/resource.ts'
import { monthOf } from '../derive/instant.ts'
import { fail } from '../errors.ts'
import { checkpointIfDue } from '../lake/checkpoint.ts'
import { commitFiles, type Replacement, type StagedFile } from '../lake/commit.ts'
import type { RowStage, RowWriter } from '../lake/row-writer.ts'
import { type SourceInFile, sourceKey } from '../lake/source.ts'
import type { DecodedArtifact } from './decode-artifact.ts'
import type { StagingRun } from './staging.ts'
import { verify } from './verify.ts'

/** Where staged rows go, and with what. */
export interface Store {
  readonly lake: string
  readonly writer: RowWriter
  readonly run: StagingRun
}

/**
 * Commits the staged rows of decoded artifacts to their table.
 * Gives the sources that another program brought in meanwhile, as key and SHA-256; they were left out.
 */
export async function storeRows(
  store: Store,
  resource: Resource,
  stage: RowStage,
  decoded: readonly DecodedArtifact[],
): Promise<ReadonlyMap<string, string>> {
  const left = new Map<string, string>()
  for (;;) {
    const wanted = decoded.filter((item) => !left.has(sourceKey(item.source)))
    if (wanted.length === 0) return left
    const staged = await writeFiles(store, resource, stage, wanted)
    const label = { operation: 'INGEST', runId: store.run.id }
    const taken = await commitFiles(store.lake, resource, staged, label, replacing(store, resource, wanted))
    if (taken.size === 0) {
      await checkpointIfDue(store.lake, resource, store.writer, store.run.folder)
      return left
    }
    for (const [key, sha256] of taken) left.set(key, sha256)
  }
}

/** Files that hold what is to be replaced are written anew without it, and verified like any other. */
function replacing(
  { writer, run }: Store,
  resource: Resource,
  decoded: readonly DecodedArtifact[],
): Replacement {
  const keys = new Set(decoded.filter((item) => item.replaces).map((item) => sourceKey(item.source)))
  return {
    keys,
    evenSame: resource === rejects,
    async rewrite(file) {
      const gone = file.sources.filter((source) => keys.has(sourceKey(source))).map((source) => source.name)
      const sources = file.sources.filter((source) => !keys.has(sourceKey(source)))
      const twin = sources.find((source) => gone.includes(source.name))
      if (twin !== undefined) {
        fail(
          'source_changed',
          `${file.path} holds ${twin.name} of two kinds, so neither can be replaced alone.`,
        )
      }
      if (sources.length === 0) return undefined
      const path = await run.newDataFile(resource, file.month)
      await writer.copyWithout(file.path, gone, path)
      const facts = await writer.reread(resource, path)
      verify(path, facts, sources)
      return { path, month: file.month, facts, sources }
    },
  }
}

/** One file per month, verified. A source without rows stands in the first file, or in an empty one. */
async function writeFiles(
  { writer, run }: Store,
  resource: Resource,
  stage: RowStage,
  decoded: readonly DecodedArtifact[],
): Promise<readonly StagedFile[]> {
  const months = [...new Set(decoded.flatMap((item) => item.tally.months))].sort()
  const first = months[0] ?? monthWithoutRows(resource, decoded)
  const staged: StagedFile[] = []
  for (const month of months.length === 0 ? [first] : months) {
    const inMonth = decoded.filter((item) => item.tally.months.includes(month))
    const sources = decoded
      .filter((item) => inMonth.includes(item) || (month === first && item.tally.rows === 0))
      .map((item) => sourceInFile(item, month))
    const path = await run.newDataFile(resource, month)
    await stage.write(path, new Map(inMonth.map((item) => [item.index, item.source.name])), month)
    const facts = await writer.reread(resource, path)
    verify(path, facts, sources)
    staged.push({ path, month, facts, sources })
  }
  return staged
}

function monthWithoutRows(resource: Resource, decoded: readonly DecodedArtifact[]): string | null {
  return resource.partition === null ? null : monthOf(BigInt(decoded[0]?.artifact.createdMs ?? 0) * 1000n)
}

/** Refused messages are counted once, with the first month of their source. */
function sourceInFile({ source, tally, refused }: DecodedArtifact, month: string | null): SourceInFile {
  const isFirst = tally.rows === 0 || [...tally.months].sort()[0] === month
  return {
    ...source,
    rows: tally.rowsIn(month),
    refused: isFirst ? refused.length : 0,
    groups: tally.groupsIn(month),
  }
}
