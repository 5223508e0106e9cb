import { unlink } from 'node:fs/promises'
import type { Amendment } from '../lake/amend.ts'
import type { StagedFile } from '../lake/commit.ts'
import type { DataFile } from '../lake/data-file.ts'
import type { RowStage } from '../lake/row-writer.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import { addSource, type Source, type SourceInFile, sourceKey } from '../lake/source.ts'
import type { SourceTally } from './source-tally.ts'
import type { Store } from './store.ts'
import { verify } from './verify.ts'

/** A source of which refused messages are staged as rows. */
export interface RetriedSource {
  readonly source: Source
  /** Number of the source in the stage. */
  readonly index: number
  readonly tally: SourceTally
  /** Ordinals of these messages, ascending. */
  readonly ordinals: readonly bigint[]
}

/**
 * Writes the files of a table anew that rows arrive in, each row at its place, since the rows of a source and month
 * lie in one file. Rows of a month in which their source has no file get a new one.
 */
export async function stageRetried(
  store: Store,
  table: TableSnapshot,
  stage: RowStage,
  retried: readonly RetriedSource[],
): Promise<Amendment> {
  const stale: DataFile[] = []
  const staged: StagedFile[] = []
  for (const month of new Set(retried.flatMap(({ tally }) => tally.months))) {
    const inMonth = retried.filter(({ tally }) => tally.months.includes(month))
    const holderOf = ({ source }: RetriedSource) => table.files.find((file) => isHeldIn(source, file, month))
    for (const holder of new Set(inMonth.map(holderOf))) {
      const own = inMonth.filter((item) => holderOf(item) === holder)
      staged.push(await stageFile(store, table, stage, own, month, holder))
      if (holder !== undefined) stale.push(holder)
    }
  }
  return { stale, staged }
}

function isHeldIn(source: Source, file: DataFile, month: string | null): boolean {
  return file.month === month && file.sources.some((held) => sourceKey(held) === sourceKey(source))
}

/** One verified file: the rows of the sources in one month and, where they have a file already, its rows too. */
async function stageFile(
  { writer, run }: Store,
  { resource }: TableSnapshot,
  stage: RowStage,
  retried: readonly RetriedSource[],
  month: string | null,
  holder: DataFile | undefined,
): Promise<StagedFile> {
  const arriving = await run.newDataFile(resource, month)
  await stage.write(arriving, new Map(retried.map(({ index, source }) => [index, source.name])), month)
  const arrived = new Map(retried.map((item) => [sourceKey(item.source), sourceInFile(item, month)]))
  let path = arriving
  let sources = [...arrived.values()]
  if (holder !== undefined) {
    path = await run.newDataFile(resource, month)
    await writer.merge(resource, holder.path, arriving, path)
    await unlink(arriving)
    sources = holder.sources.map((source) => {
      const more = arrived.get(sourceKey(source))
      return more === undefined ? source : addSource(source, more)
    })
  }
  const facts = await writer.reread(resource, path)
  verify(path, facts, sources)
  return { path, month, facts, sources }
}

/** The ordinals are told once, with the first month of the rows. */
function sourceInFile({ source, tally, ordinals }: RetriedSource, month: string | null): SourceInFile {
  const { kind, name, sha256 } = source
  const isFirst = [...tally.months].sort()[0] === month
  return {
    ...{ kind, name, sha256 },
    rows: tally.rowsIn(month),
    refused: 0,
    groups: tally.groupsIn(month),
    retried: isFirst ? ordinals : [],
  }
}
