import { fail } from '../../base/errors.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { DataFile } from '../../lake/facts/data-file.ts'
import { GroupStatistics } from '../../lake/facts/group-statistics.ts'
import { gatherSources } from '../../lake/facts/source.ts'
import type { CompactionWriter, ContentFacts } from '../ports/compaction-writer.ts'
import type { StagedFile } from '../store/amend-table.ts'
import { refuseDamaged } from '../store/refuse-damaged.ts'
import { stageFile, stageParts } from '../store/stage-files.ts'
import type { Store } from '../store/store.ts'
import { divideSources } from './divide.ts'
import type { ScatteredPartition } from './scattered-partitions.ts'

/**
 * Merges the files of a partition into few verified files, with rows in table order.
 * Errors: `lake_damaged` for a damaged input file, `internal` when the written rows differ.
 */
export async function mergePartition(
  store: Store<CompactionWriter>,
  resource: Resource,
  scattered: ScatteredPartition,
): Promise<readonly StagedFile[]> {
  const { writer, remote } = store
  await remote?.bring(scattered.files)
  const before = await readBefore(writer, resource, scattered.files)
  const write = resource.statistics === undefined ? writeSorted : writeDivisions
  const written = await write(store, resource, scattered)
  const paths = written.map(({ path }) => path)
  await verifyContent(writer, resource, paths, before)
  return written
}

/** Copies row ranges without sorting: the log has the position of each group, and a group lies in one file. */
async function writeDivisions(
  store: Store<CompactionWriter>,
  resource: Resource,
  { partition, files }: ScatteredPartition,
): Promise<readonly StagedFile[]> {
  const statistics = GroupStatistics.of(files)
  const written: StagedFile[] = []
  for (const { from, to, rows, sources } of divideSources(gatherSources(files))) {
    const path = await store.run.newDataFile(resource, partition)
    await store.writer.copyRanges(resource, files, statistics.locate({ from, to }, 0, rows), path)
    written.push(await stageFile(store, resource, { path, partition, sources }))
  }
  return written
}

async function writeSorted(
  store: Store<CompactionWriter>,
  resource: Resource,
  { partition, files }: ScatteredPartition,
): Promise<readonly StagedFile[]> {
  const path = await store.run.newDataFile(resource, partition)
  await store.writer.mergeMany(resource, files, path)
  return await stageParts(store, resource, { path, partition, sources: gatherSources(files) })
}

/** Errors: `lake_damaged`. */
async function readBefore(
  writer: CompactionWriter,
  resource: Resource,
  files: readonly DataFile[],
): Promise<readonly ContentFacts[]> {
  const contents: ContentFacts[] = []
  for (const file of files) {
    const { path, rows } = file
    const content = await writer.readContent(resource, file)
    await refuseDamaged([file])
    if (content.rows !== rows || content.misplaced > 0) {
      fail(
        'lake_damaged',
        `${path} has ${content.rows} rows, ${content.misplaced} of them out of order, the log says ${rows} in order; ` +
          'ingest its sources anew.',
      )
    }
    contents.push(content)
  }
  return contents
}

async function verifyContent(
  writer: CompactionWriter,
  resource: Resource,
  paths: readonly string[],
  before: readonly ContentFacts[],
): Promise<void> {
  const after: ContentFacts[] = []
  for (const path of paths) after.push(await writer.readContent(resource, path))
  const [expected, actual] = [describe(before), describe(after)]
  if (expected === actual) return
  fail(
    'internal',
    `${paths.join(', ')} hold ${actual}, not ${expected}; check the disk and run the same command again.`,
  )
}

function describe(contents: readonly ContentFacts[]): string {
  const rows = contents.reduce((sum, content) => sum + content.rows, 0)
  const digest = contents.reduce((sum, content) => sum + content.digest, 0n)
  const misplaced = contents.reduce((sum, content) => sum + content.misplaced, 0)
  return `${rows} rows of digest ${digest}, ${misplaced} out of order`
}
