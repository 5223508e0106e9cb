import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RowWriter } from '../lake/row-writer.ts'
import { openScratchFolder, removeAbandoned } from '../lake/run-folder.ts'
import type { GroupKey } from '../lake/series.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import { type Contents, groupText, indexedColumns, type Wanted, wantedOf } from './contents.ts'
import { isWhole, openIfWhole, segmentName, segmentPaths, segmentsFolder } from './folder.ts'
import { mergeInto } from './merge-segment.ts'
import { openSegment, type Segment } from './segment.ts'
import { SegmentWriter } from './segment-writer.ts'

export interface BuildRequest {
  readonly stateFolder: string
  /** Makes the writer; its spill goes into the folder given. */
  readonly openWriter: (spillFolder: string) => Promise<RowWriter>
  readonly onYear?: (table: TableSnapshot, year: number) => void
  readonly signal?: AbortSignal
}

/** Rows are sorted in steps of about so many, so that a year of any size needs no more memory than a month. */
const ROWS_AT_ONCE = 6_000_000

/**
 * Builds the segments that some tables lack, each from the one before it and the sources that came since, and removes
 * what dead builders left. A segment appears whole or not at all. Errors: Error when the folder cannot be written.
 */
export async function buildHotspotIndex(
  tables: readonly TableSnapshot[],
  request: BuildRequest,
): Promise<void> {
  const building = join(segmentsFolder(request.stateFolder), 'building')
  if (tables.length === 0) return await removeAbandoned(building)
  const scratch = await openScratchFolder(building)
  try {
    const writer = await request.openWriter(join(scratch.folder, 'spill'))
    try {
      for (const table of tables) {
        for (const wanted of wantedOf(table)) {
          request.signal?.throwIfAborted()
          await buildYear(table, wanted, writer, scratch.folder, request)
        }
      }
    } finally {
      await writer.close()
    }
  } finally {
    await scratch.close()
  }
}

async function buildYear(
  table: TableSnapshot,
  wanted: Wanted,
  writer: RowWriter,
  scratch: string,
  { stateFolder, onYear, signal }: BuildRequest,
): Promise<void> {
  const folder = join(segmentsFolder(stateFolder), table.resource.name)
  const columns = indexedColumns(table)
  const paths = await segmentPaths(folder, wanted.year)
  const known = paths.flatMap((path) => openIfWhole(path) ?? [])
  if (known.some((segment) => isWhole(segment, table, wanted))) return closeAll(known)
  onYear?.(table, wanted.year)
  let base = known.find((segment) => isPart(segment.contents, wanted, columns))
  closeAll(known.filter((segment) => segment !== base))
  try {
    const there = new Set(base?.contents.groups.map(groupText))
    const missing = wanted.groups.filter((group) => !there.has(groupText(group)))
    const steps = stepsOf(missing, table)
    for (const [index, groups] of (steps.length === 0 ? [[]] : steps).entries()) {
      signal?.throwIfAborted()
      const path = join(scratch, `${table.resource.name}-${wanted.year}-${index}`)
      const own = [...(base?.contents.groups ?? []), ...groups]
      await writeSegment(path, base, groups, own, { table, wanted, columns, writer })
      base?.close()
      base = openSegment(path)
    }
    if (base === undefined) return
    await mkdir(folder, { recursive: true })
    await rename(base.path, join(folder, segmentName(base.contents)))
    await removeOlder(folder, wanted.year)
  } finally {
    base?.close()
  }
}

/** Whether nothing is in a segment that is not wanted any more. */
function isPart({ columns, sources, groups }: Contents, wanted: Wanted, own: readonly string[]): boolean {
  const texts = new Set(wanted.groups.map(groupText))
  return (
    columns.join() === own.join() &&
    Object.entries(sources).every(([source, digest]) => wanted.sources[source] === digest) &&
    groups.every((group) => texts.has(groupText(group)))
  )
}

/** Groups in steps of some million rows; a source is not divided, for it is in a segment as a whole or not at all. */
function stepsOf(groups: readonly GroupKey[], table: TableSnapshot): readonly (readonly GroupKey[])[] {
  const steps: GroupKey[][] = []
  let rows = Number.POSITIVE_INFINITY
  for (const source of new Set(groups.map((group) => group.source))) {
    const own = groups.filter((group) => group.source === source)
    const more = table.sourcesNamed(source).reduce((sum, { rows }) => sum + rows, 0)
    if (rows + more > ROWS_AT_ONCE) {
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
  readonly columns: readonly string[]
  readonly writer: RowWriter
}

async function writeSegment(
  path: string,
  base: Segment | undefined,
  arriving: readonly GroupKey[],
  groups: readonly GroupKey[],
  { table, wanted, columns, writer }: Parts,
): Promise<void> {
  const names = new Set(arriving.map((group) => group.source))
  const files = table.files.filter((file) => file.sources.some((source) => names.has(source.name)))
  const read = {
    column: table.resource.keyed ?? '',
    amounts: columns,
    files: files.map((file) => file.path),
    groups: arriving,
  }
  const first = groups.length - arriving.length
  const groupAt = Uint32Array.from(arriving, (_, index) => first + index)
  const output = await SegmentWriter.create(path)
  try {
    await mergeInto(
      output,
      base,
      arriving.length === 0 ? nothing() : writer.readKeyed(table.resource, read),
      groupAt,
    )
    const inIt = new Set(groups.map((group) => group.source))
    const sources = Object.entries(wanted.sources).filter(([source]) =>
      inIt.has(source.slice(source.indexOf('/') + 1)),
    )
    await output.finish({
      table: table.resource.name,
      year: wanted.year,
      columns,
      groups,
      sources: Object.fromEntries(sources),
    })
  } catch (error) {
    await output.close().catch(() => {})
    throw error
  }
}

async function* nothing(): AsyncGenerator<never> {}

function closeAll(segments: readonly Segment[]): void {
  for (const segment of segments) segment.close()
}

/** Requests on the version before may still be under way. */
const KEPT = 2

async function removeOlder(folder: string, year: number): Promise<void> {
  const older = (await segmentPaths(folder, year)).slice(KEPT)
  for (const path of older) await rm(path, { force: true })
}
