import { basename, dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { TableSnapshot } from '../lake/snapshot.ts'
import { newestFirst } from '../maintenance/versions.ts'
import { type Contents, describeColumns, type Wanted, writeContents } from './contents.ts'
import { openSegment, type Segment } from './segment.ts'
import { digestOf } from './segment-layout.ts'

export function segmentsFolder(stateFolder: string): string {
  return join(stateFolder, 'hotspot-index')
}

/** The name of a segment follows from its contents. */
export function segmentName(contents: Contents): string {
  return `${contents.year}-${digestOf(Buffer.from(writeContents(contents))).toString('hex', 0, 12)}.segment`
}

/** Paths of the segments of a year, newest first. */
export async function segmentPaths(folder: string, year: number): Promise<readonly string[]> {
  return await newestFirst(folder, (name) => name.startsWith(`${year}-`) && name.endsWith('.segment'))
}

/** Undefined when it cannot be read, is damaged, or has the name of another one; blocks are checked later, when they are read. */
export function openIfIntact(path: string): Segment | undefined {
  try {
    const segment = openSegment(path)
    if (isNamed(segment)) return segment
    segment.close()
  } catch {
    // As if it were not there.
  }
  return undefined
}

function isNamed({ path, contents }: Segment): boolean {
  return basename(path) === segmentName(contents) && basename(dirname(path)) === contents.table
}

/** Whether a segment holds all that is wanted and nothing else. */
export function isComplete({ contents }: Segment, table: TableSnapshot, wanted: Wanted): boolean {
  const { columns, sources, groups } = contents
  return (
    columns.join() === describeColumns(table.resource).join() &&
    groups.length === wanted.groups.length &&
    isDeepStrictEqual(sources, wanted.sources)
  )
}

/** Whether every block has its checksum. */
export function hasIntactBlocks(segment: Segment): boolean {
  try {
    for (const _ of segment.blocks());
    return true
  } catch {
    return false
  }
}
