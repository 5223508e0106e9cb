import { rejects } from '../catalog/lake/rejects.ts'
import type { Resource } from '../catalog/resource.ts'
import { partitionOf } from '../derive/partition.ts'
import { fail } from '../errors.ts'
import { type CheckpointWriter, checkpointIfDue } from '../lake/checkpoint.ts'
import { commitFiles, type Replacement, type StagedFile } from '../lake/commit.ts'
import type { FileRewriter } from '../lake/file-rewriter.ts'
import type { FileWriter } from '../lake/file-writer.ts'
import { type SourceInFile, sourceKey } from '../lake/source.ts'
import type { Stage } from '../lake/stage.ts'
import type { DecodedArtifact } from './decode-artifact.ts'
import { distribute, type FileRead } from './distribute.ts'
import type { StagingRun } from './staging.ts'
import { verify } from './verify.ts'

/** What every commit needs of a writer. */
export type StoreWriter = FileWriter & CheckpointWriter

/** Where staged rows go, and with what. */
export interface Store<Writer = unknown> {
  readonly lake: string
  readonly writer: Writer & StoreWriter
  readonly run: StagingRun
}

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
  { writer, run }: Store<FileRewriter>,
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
      const path = await run.newDataFile(resource, file.partition)
      await writer.copyWithout(resource, file, gone, path)
      const facts = await writer.inspect(resource, path)
      verify(path, facts, sources)
      return { path, partition: file.partition, facts, sources }
    },
  }
}

/** One file per partition, verified. A source without rows stands in the first file, or in an empty one. */
async function writeFiles(
  { writer, run }: Store,
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
    const newPath = () => run.newDataFile(resource, partition)
    const path = await newPath()
    await stage.write(path, new Map(inPartition.map((item) => [item.index, item.source.name])), partition)
    const paths = await writer.split(resource, path, newPath)
    const files: FileRead[] = []
    for (const path of paths) files.push({ path, facts: await writer.inspect(resource, path) })
    for (const { path, facts, own } of distribute(files, sources)) {
      verify(path, facts, own)
      staged.push({ path, partition, facts, sources: own })
    }
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
