import type { Resource } from '../../../catalog/resource.ts'
import type { BrokenCsv, CsvStage } from '../../ports/csv-stage.ts'
import { FileFault, shorten } from '../../wire/faults.ts'
import { streamContent } from '../../wire/stream-content.ts'
import type { Artifact } from '../files/artifact.ts'
import { type BlockRange, valuesOfBlocks } from '../files/block-range.ts'
import { hasHeader, LONGEST_HEAD, readHead } from './csv-head.ts'
import {
  type DecodedArtifact,
  type DecodeLimits,
  mostRefused,
  type RowStatistics,
  refuseOtherKind,
  tooManyRefused,
} from './decode-artifact.ts'

const GZIP_MARK = Buffer.from('1f8b', 'hex')

/**
 * Loads one CSV file into a stage and collects refused records. Reads the bytes first, because the engine accepts a
 * truncated gzip stream.
 * Errors: FileFault.
 */
export async function decodeCsv(
  resource: Resource,
  stage: CsvStage,
  blocks: BlockRange | undefined,
  artifact: Artifact,
  index: number,
  limits: DecodeLimits,
): Promise<DecodedArtifact> {
  const isGzip = artifact.path.endsWith('.gz')
  const start: Buffer[] = []
  let missing = LONGEST_HEAD
  const keepStart = (chunk: Buffer) => {
    if (missing > 0) start.push(Buffer.from(chunk.subarray(0, missing)))
    missing -= chunk.length
  }
  const { sha256, isPadded } = await streamContent(artifact.path, isGzip, keepStart, limits.signal)
  const beginning = Buffer.concat(start)
  if (!isGzip && beginning.indexOf(GZIP_MARK) === 0)
    throw new FileFault('it is gzip and its name does not say so; use a name that ends in .csv.gz')
  const head = readHead(beginning)
  const read = await stage.load(artifact.path, {
    index,
    isGzip,
    isPadded,
    hasHeader: hasHeader(resource, head),
    newLine: head?.newLine,
    only: blocks && valuesOfBlocks(blocks),
    mostRefused: (records) => mostRefused(records, limits),
    onRead: (part) => limits.onRows?.(0, part),
  })
  if (read.broken !== undefined) throw new FileFault(describeBroken(read.broken, resource))
  const { records, refused, firstRefused, rows } = read
  if (refused > mostRefused(records, limits))
    throw tooManyRefused('record', refused, records, firstRefused[0], limits)
  // In a range of blocks, all records may be refused because their block is unreadable.
  if (refused === records && blocks === undefined) refuseOtherKind(firstRefused, artifact)
  const source = { kind: resource.name, name: artifact.name, sha256 }
  return { artifact, source, index, statistics: statisticsOf(rows), refused: firstRefused, replaces: false }
}

function statisticsOf(rows: ReadonlyMap<string | null, number>): RowStatistics {
  return {
    rows: [...rows.values()].reduce((sum, count) => sum + count, 0),
    partitions: [...rows.keys()],
    rowsIn: (partition) => rows.get(partition) ?? 0,
    groupsIn: () => [],
  }
}

function describeBroken(broken: BrokenCsv, { arrival }: Resource): string {
  switch (broken.by) {
    case 'quote':
      return (
        `a cell of record ${broken.record} has a quote that does not close it: ${firstLine(broken.text)}; ` +
        'expected quotes around a whole cell, doubled within it'
      )
    case 'encoding':
      return `record ${broken.record} is not UTF-8; convert the file to UTF-8`
    case 'length':
      return `record ${broken.record} is longer than ${broken.most} bytes, the limit`
    case 'line ends':
      return 'its lines end in different ways; expected LF or CRLF throughout'
    case 'lines':
      return (
        `${broken.lines} records, or more, have too few or too many cells; ` +
        `expected ${Object.keys(arrival?.as === 'csv' ? arrival.cells : {}).length}`
      )
    case 'spread':
      return `the values of ${broken.column} lie in more than ${broken.most} days or ranges of blocks, the limit`
  }
}

function firstLine(text: string): string {
  return shorten(text.split(/[\r\n]/, 1)[0] ?? '')
}
