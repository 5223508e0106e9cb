import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeyedReader } from '../lake/keyed-reader.ts'
import type { OpenWriter } from '../lake/open-writer.ts'
import { removeAbandoned } from '../lake/run-folder.ts'
import type { GroupKey } from '../lake/series.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import type { BuildOptions } from '../maintenance/derived.ts'
import { removeOlder } from '../maintenance/versions.ts'
import { withScratchWriter } from '../maintenance/with-scratch-writer.ts'
import { indexedGroup, readArriving } from './arriving.ts'
import { blockColumns } from './block-layout.ts'
import { type Contents, describeColumns, groupText, type Wanted, wantedOf } from './contents.ts'
import {
  hasIntactBlocks,
  isComplete,
  openIfIntact,
  segmentName,
  segmentPaths,
  segmentsFolder,
} from './folder.ts'
import { mergeInto } from './merge-segment.ts'
import { openSegment, type Segment } from './segment.ts'
import { SegmentWriter } from './segment-writer.ts'

interface BuildRequest extends BuildOptions {
  readonly stateFolder: string
  readonly openWriter: OpenWriter<KeyedReader>
}

/** Rows are sorted in steps of about this many, of many columns fewer, so that a year of any size needs no more memory than a month. */
const ROWS_AT_ONCE = 6_000_000
const VALUES_AT_ONCE = 100_000_000

/**
 * Builds the segments that some tables lack, each from the older one and the sources that came since, and removes what
 * killed builders left. A segment appears whole or not at all. Errors: Error when the folder cannot be written.
 */
export async function buildHotspotIndex(
  tables: readonly TableSnapshot[],
  request: BuildRequest,
): Promise<void> {
  const building = join(segmentsFolder(request.stateFolder), 'building')
  if (tables.length === 0) return await removeAbandoned(building)
  await withScratchWriter(building, request.openWriter, request.signal, async (writer, folder) => {
    for (const table of tables) {
      for (const wanted of wantedOf(table)) await buildYear(table, wanted, writer, folder, request)
    }
  })
}

async function buildYear(
  table: TableSnapshot,
  wanted: Wanted,
  writer: KeyedReader,
  scratch: string,
  { stateFolder, onProgress, signal }: BuildRequest,
): Promise<void> {
  signal?.throwIfAborted()
  const folder = join(segmentsFolder(stateFolder), table.resource.name)
  const paths = await segmentPaths(folder, wanted.year)
  const known = paths.flatMap((path) => openIfIntact(path) ?? [])
  if (known.some((segment) => isComplete(segment, table, wanted))) return closeAll(known)
  onProgress?.(`gathering the hotspots of ${table.resource.name} in ${wanted.year}`)
  let base = known.find((segment) => isPart(segment.contents, wanted, table) && hasIntactBlocks(segment))
  closeAll(known.filter((segment) => segment !== base))
  try {
    const there = new Set(base?.contents.groups.map(groupText))
    const missing = wanted.groups.filter((group) => !there.has(groupText(group)))
    const steps = stepsOf(missing, table)
    for (const [index, groups] of (steps.length === 0 ? [[]] : steps).entries()) {
      signal?.throwIfAborted()
      const path = join(scratch, `${table.resource.name}-${wanted.year}-${index}`)
      await writeSegment(path, base, groups, { table, wanted, writer })
      base?.close()
      base = openSegment(path)
    }
    if (base === undefined) return
    await mkdir(folder, { recursive: true })
    await rename(base.path, join(folder, segmentName(base.contents)))
    await removeOlder(await segmentPaths(folder, wanted.year))
  } finally {
    base?.close()
  }
}

/** Whether everything in a segment is still wanted. */
function isPart(
  { columns, sources, groups }: Contents,
  wanted: Wanted,
  { resource }: TableSnapshot,
): boolean {
  const texts = new Set(wanted.groups.map(groupText))
  return (
    columns.join() === describeColumns(resource).join() &&
    Object.entries(sources).every(([source, digest]) => wanted.sources[source] === digest) &&
    groups.every((group) => texts.has(groupText(group)))
  )
}

/** Groups in steps of some million rows. A source is not divided: a segment has it whole or not at all. */
function stepsOf(groups: readonly GroupKey[], table: TableSnapshot): readonly (readonly GroupKey[])[] {
  const most = Math.min(ROWS_AT_ONCE, VALUES_AT_ONCE / blockColumns(table.resource).length)
  const steps: GroupKey[][] = []
  let rows = Number.POSITIVE_INFINITY
  for (const source of new Set(groups.map((group) => group.source))) {
    const own = groups.filter((group) => group.source === source)
    const more = table.sourcesNamed(source).reduce((sum, { rows }) => sum + rows, 0)
    if (rows + more > most) {
      steps.push([])
      rows = 0
    }
    steps.at(-1)?.push(...own)
    rows += more
  }
  return steps
}

interface Parts {
  readonly table: TableSnapshot
  readonly wanted: Wanted
  readonly writer: KeyedReader
}

async function writeSegment(
  path: string,
  base: Segment | undefined,
  arriving: readonly GroupKey[],
  { table, wanted, writer }: Parts,
): Promise<void> {
  const { resource } = table
  const rows = await readArriving(arriving, table, writer)
  const known = base?.contents.groups ?? []
  const groups = [
    ...known,
    ...arriving.map((group, place) => indexedGroup(resource, group, rows.common[place])),
  ]
  const output = await SegmentWriter.create(path)
  try {
    await mergeInto(output, base, rows, resource, groups, known.length)
    const written = new Set(groups.map((group) => group.source))
    const sources = Object.entries(wanted.sources).filter(([source]) =>
      written.has(source.slice(source.indexOf('/') + 1)),
    )
    await output.finish({
      table: resource.name,
      year: wanted.year,
      columns: describeColumns(resource),
      groups,
      sources: Object.fromEntries(sources),
    })
  } catch (error) {
    await output.close().catch(() => {})
    throw error
  }
}

function closeAll(segments: readonly Segment[]): void {
  for (const segment of segments) segment.close()
}
