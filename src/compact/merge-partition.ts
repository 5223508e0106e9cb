import type { Resource } from '../catalog/resource.ts'
import { fail } from '../errors.ts'
import { type FileRead, shareOut } from '../ingest/share-out.ts'
import type { Store } from '../ingest/store.ts'
import { verify } from '../ingest/verify.ts'
import type { StagedFile } from '../lake/commit.ts'
import type { DataFile } from '../lake/data-file.ts'
import { hashFile } from '../lake/disk.ts'
import type { ContentFacts, RowWriter } from '../lake/row-writer.ts'
import { addSource, type SourceInFile, sourceKey } from '../lake/source.ts'
import { Tally } from '../lake/tally.ts'
import type { ScatteredPartition } from './closed-partitions.ts'

/**
 * Writes the rows of the files of a partition as few verified files, each row at its place in the order of the resource.
 * Errors: `lake_damaged` for a file that is not as it was written, `internal` when what is read back is not what went in.
 */
export async function mergePartition(
  { writer, run }: Store,
  resource: Resource,
  { partition, files }: ScatteredPartition,
): Promise<readonly StagedFile[]> {
  const before = await readBefore(writer, resource, files)
  const newPath = () => run.newDataFile(resource, partition)
  const merged = await newPath()
  await merge(writer, resource, files, merged)
  const paths = await writer.cut(resource, merged, newPath)
  await verifyContent(writer, resource, paths, before)
  const read: FileRead[] = []
  for (const path of paths) read.push({ path, facts: await writer.reread(resource, path) })
  return shareOut(read, gatherSources(files)).map(({ path, facts, own }) => {
    verify(path, facts, own)
    return { path, partition, facts, sources: own }
  })
}

const EVERYTHING = { from: -(2n ** 63n), to: 2n ** 63n - 1n }

/** Where the log tells which rows lie where, nothing has to be sorted: all rows of a group lie in one file. */
async function merge(
  writer: RowWriter,
  resource: Resource,
  files: readonly DataFile[],
  to: string,
): Promise<void> {
  if (resource.tally === undefined) {
    const paths = files.map((file) => file.path)
    return await writer.mergeMany(resource, paths, to)
  }
  const rows = files.reduce((sum, file) => sum + file.rows, 0)
  await writer.copyRanges(resource, new Tally(files).locate(EVERYTHING, 0, rows), to)
}

/** What is damaged must not come back under a new digest, as if it were whole. */
async function readBefore(
  writer: RowWriter,
  resource: Resource,
  files: readonly DataFile[],
): Promise<readonly ContentFacts[]> {
  const contents: ContentFacts[] = []
  for (const { path, sha256, rows } of files) {
    const content = await writer.readContent(resource, path)
    const found = await hashFile(path)
    if (found !== sha256) {
      fail('lake_damaged', `${path} has SHA-256 ${found}, the log says ${sha256}; restore it from a copy.`)
    }
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
  writer: RowWriter,
  resource: Resource,
  paths: readonly string[],
  before: readonly ContentFacts[],
): Promise<void> {
  const after: ContentFacts[] = []
  for (const path of paths) after.push(await writer.readContent(resource, path))
  const [wanted, found] = [describe(before), describe(after)]
  if (wanted === found) return
  fail(
    'internal',
    `${paths.join(', ')} hold ${found}, not ${wanted}; check the disk and run the same command again.`,
  )
}

function describe(contents: readonly ContentFacts[]): string {
  const rows = contents.reduce((sum, content) => sum + content.rows, 0)
  const digest = contents.reduce((sum, content) => sum + content.digest, 0n)
  const misplaced = contents.reduce((sum, content) => sum + content.misplaced, 0)
  return `${rows} rows of digest ${digest}, ${misplaced} out of order`
}

function gatherSources(files: readonly DataFile[]): readonly SourceInFile[] {
  const sources = new Map<string, SourceInFile>()
  for (const source of files.flatMap((file) => file.sources)) {
    const known = sources.get(sourceKey(source))
    sources.set(sourceKey(source), known === undefined ? source : addSource(known, source))
  }
  return [...sources.values()]
}
