import { rejects } from '../catalog/lake/rejects.ts'
import type { Resource } from '../catalog/resource.ts'
import { partitionOf } from '../derive/partition.ts'
import { fail } from '../errors.ts'
import { checkpointIfDue } from '../lake/checkpoint.ts'
import type { FileRewriter } from '../lake/file-rewriter.ts'
import { type SourceInFile, sourceKey } from '../lake/source.ts'
import type { Stage } from '../lake/stage.ts'
import type { StagedFile } from '../store/amend-table.ts'
import { commitFiles, type Replacement } from '../store/commit-files.ts'
import { stageFile, stageParts } from '../store/stage-files.ts'
import type { Store } from '../store/store.ts'
import type { DecodedArtifact } from './decode-artifact.ts'

/**
 * Commits the staged rows of decoded artifacts to their table.
 * Gives the sources that another program brought in meanwhile, as key and SHA-256; they were left out.
 */
export async function storeRows(
  store: Store<FileRewriter>,
  resource: Resource,
  stage: Stage,
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
  store: Store<FileRewriter>,
  resource: Resource,
  decoded: readonly DecodedArtifact[],
): Replacement {
  const keys = new Set(
    decoded.flatMap(({ replaces, source, supersedes = [] }) => [
      ...(replaces ? [sourceKey(source)] : []),
      ...supersedes,
    ]),
  )
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
      const { partition } = file
      const path = await store.run.newDataFile(resource, partition)
      await store.writer.copyWithout(resource, file, gone, path)
      return await stageFile(store, resource, { path, partition, sources })
    },
  }
}

/** One file per partition, verified. A source without rows stands in the first file, or in an empty one. */
async function writeFiles(
  store: Store,
  resource: Resource,
  stage: Stage,
  decoded: readonly DecodedArtifact[],
): Promise<readonly StagedFile[]> {
  const partitions = [...new Set(decoded.flatMap((item) => item.statistics.partitions))].sort()
  const first = partitions[0] ?? partitionWithoutRows(resource, decoded)
  const staged: StagedFile[] = []
  for (const partition of partitions.length === 0 ? [first] : partitions) {
    const inPartition = decoded.filter((item) => item.statistics.partitions.includes(partition))
    const sources = decoded
      .filter((item) => inPartition.includes(item) || (partition === first && item.statistics.rows === 0))
      .map((item) => sourceInFile(item, partition))
    const path = await store.run.newDataFile(resource, partition)
    await stage.write(path, new Map(inPartition.map((item) => [item.index, item.source.name])), partition)
    staged.push(...(await stageParts(store, resource, { path, partition, sources })))
  }
  return staged
}

function partitionWithoutRows(resource: Resource, decoded: readonly DecodedArtifact[]): string | null {
  return partitionOf(resource, BigInt(decoded[0]?.artifact.createdMs ?? 0) * 1000n)
}

/** Refused messages are counted once, with the first partition of their source. */
function sourceInFile(
  { source, statistics, refused }: DecodedArtifact,
  partition: string | null,
): SourceInFile {
  const isFirst = statistics.rows === 0 || [...statistics.partitions].sort()[0] === partition
  return {
    ...source,
    rows: statistics.rowsIn(partition),
    refused: isFirst ? refused.length : 0,
    groups: statistics.groupsIn(partition),
  }
}
