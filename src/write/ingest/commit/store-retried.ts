import { unlink } from 'node:fs/promises'
import type { DataFile } from '../../../lake/facts/data-file.ts'
import { addSource, type Source, type SourceInFile, sourceKey } from '../../../lake/facts/source.ts'
import type { TableSnapshot } from '../../../lake/snapshot/snapshot.ts'
import type { IngestWriter } from '../../ports/ingest-writer.ts'
import type { Stage } from '../../ports/stage.ts'
import type { Amendment, StagedFile } from '../../store/amend-table.ts'
import { refuseDamaged } from '../../store/refuse-damaged.ts'
import { stageFile } from '../../store/stage-files.ts'
import type { Store } from '../../store/store.ts'
import type { SourceStatistics } from '../decode/source-statistics.ts'

/** A source with retried messages that are staged as rows. */
export interface RetriedSource {
  readonly source: Source
  /** Number of the source in the stage. */
  readonly index: number
  readonly statistics: SourceStatistics
  /** Ordinals of the retried messages, ascending. */
  readonly ordinals: readonly bigint[]
}

/**
 * Rewrites the files that receive retried rows, since the rows of a source and partition lie in one file. Rows
 * without such a file go to a new one.
 */
export async function stageRetried(
  store: Store<IngestWriter>,
  table: TableSnapshot,
  stage: Stage,
  retried: readonly RetriedSource[],
): Promise<Amendment> {
  const stale: DataFile[] = []
  const staged: StagedFile[] = []
  for (const partition of new Set(retried.flatMap(({ statistics }) => statistics.partitions))) {
    const inPartition = retried.filter(({ statistics }) => statistics.partitions.includes(partition))
    const holderOf = ({ source }: RetriedSource) =>
      table.files.find((file) => isHeldIn(source, file, partition))
    for (const holder of new Set(inPartition.map(holderOf))) {
      const sameHolder = inPartition.filter((item) => holderOf(item) === holder)
      staged.push(await writeFile(store, table, stage, sameHolder, partition, holder))
      if (holder !== undefined) stale.push(holder)
    }
  }
  return { stale, staged }
}

function isHeldIn(source: Source, file: DataFile, partition: string | null): boolean {
  return file.partition === partition && file.sources.some((held) => sourceKey(held) === sourceKey(source))
}

/** Writes and verifies one file: the retried rows, merged with those of the existing file. */
async function writeFile(
  store: Store<IngestWriter>,
  { resource }: TableSnapshot,
  stage: Stage,
  retried: readonly RetriedSource[],
  partition: string | null,
  holder: DataFile | undefined,
): Promise<StagedFile> {
  const { writer, run } = store
  const arriving = await run.newDataFile(resource, partition)
  await stage.write(arriving, new Map(retried.map(({ index, source }) => [index, source.name])), partition)
  const arrived = new Map(retried.map((item) => [sourceKey(item.source), sourceInFile(item, partition)]))
  let path = arriving
  let sources = [...arrived.values()]
  if (holder !== undefined) {
    path = await run.newDataFile(resource, partition)
    await refuseDamaged([holder], store.remote)
    await writer.merge(resource, holder, arriving, path)
    await unlink(arriving)
    sources = holder.sources.map((source) => {
      const more = arrived.get(sourceKey(source))
      return more === undefined ? source : addSource(source, more)
    })
  }
  return await stageFile(store, resource, { path, partition, sources })
}

/** Lists the ordinals once, with the first partition. */
function sourceInFile(
  { source, statistics, ordinals }: RetriedSource,
  partition: string | null,
): SourceInFile {
  const { kind, name, sha256 } = source
  const isFirst = [...statistics.partitions].sort()[0] === partition
  return {
    ...{ kind, name, sha256 },
    rows: statistics.rowsIn(partition),
    refused: 0,
    groups: statistics.groupsIn(partition),
    retried: isFirst ? ordinals : [],
  }
}
