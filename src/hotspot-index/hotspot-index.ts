import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Resource } from '../catalog/resource.ts'
import type { KeyedReader } from '../lake/keyed-reader.ts'
import type { OpenWriter } from '../lake/open-writer.ts'
import type { Snapshot, TableSnapshot } from '../lake/snapshot.ts'
import { type Derived, WORTHWHILE_ROWS } from '../maintenance/derived.ts'
import type { GroupRange } from '../query/group-range.ts'
import { buildHotspotIndex } from './build-index.ts'
import { startOfYear, type Wanted, wantedOf } from './contents.ts'
import { openIfIntact, segmentPaths, segmentsFolder } from './folder.ts'
import { gatherRows, type KeyedRows } from './keyed-rows.ts'
import { type Opened, prepare, sumYear, type VisitRow } from './opened.ts'
import { DamagedSegment } from './segment.ts'
import { bestFor, type Year } from './year.ts'

export interface HotspotIndex extends Derived {
  /**
   * Exact sums of columns over the rows of one key. Undefined when no loaded segment has all the rows of the range: then
   * the data files have to be read.
   */
  sums(
    table: TableSnapshot,
    key: string,
    range: GroupRange,
    columns: readonly string[],
    visit?: VisitRow,
  ): Readonly<Record<string, bigint>> | undefined
  /** The rows of one key with all their columns. Undefined as with `sums`. */
  rows(table: TableSnapshot, key: string, range: GroupRange): KeyedRows | undefined
  /** Whether segments were made of all the sources that a range needs. */
  knows(table: TableSnapshot, range: GroupRange): boolean
  close(): void
}

/** `stateFolder` may be missing: then the index answers nothing. Tables of fewer than `worthwhileRows` are not indexed. */
export function openHotspotIndex(
  stateFolder: string,
  openWriter: OpenWriter<KeyedReader>,
  worthwhileRows = WORTHWHILE_ROWS,
): HotspotIndex {
  const opened = new Map<string, Opened>()
  let years = new WeakMap<TableSnapshot, readonly Year[]>()
  const wantedYears = new WeakMap<TableSnapshot, readonly Wanted[]>()

  const wanted = (table: TableSnapshot) => {
    const known = wantedYears.get(table) ?? wantedOf(table)
    wantedYears.set(table, known)
    return known
  }
  const ofTable = (table: TableSnapshot) =>
    [...opened.values()].filter(({ segment }) => segment.contents.table === table.resource.name)

  function yearsOf(table: TableSnapshot): readonly Year[] {
    const known = years.get(table) ?? wanted(table).map((year) => bestFor(table, year, ofTable(table)))
    years.set(table, known)
    return known
  }

  function closeOne({ segment }: Opened): void {
    opened.delete(segment.path)
    segment.close()
    years = new WeakMap()
  }

  /** Until it is built again the data files are read in its place. */
  function forget(one: Opened): void {
    closeOne(one)
    remove(one.segment.path)
  }

  /** Opens the segments of a year that are there, and closes those that are not any more. */
  async function openNew(resource: Resource, year: number): Promise<void> {
    const folder = join(segmentsFolder(stateFolder), resource.name)
    const paths = await segmentPaths(folder, year)
    for (const path of paths.filter((path) => !opened.has(path))) {
      const segment = openIfIntact(path)
      if (segment !== undefined) opened.set(path, prepare(resource, segment))
    }
    const prefix = join(folder, `${year}-`)
    for (const [path, one] of opened) if (path.startsWith(prefix) && !paths.includes(path)) closeOne(one)
  }

  /** The segments of all years that a range touches; undefined when one of them is missing or differs. */
  function segmentsOf(table: TableSnapshot, range: GroupRange): readonly Opened[] | undefined {
    const asked = yearsOf(table).filter(
      ({ year }) => range.from < startOfYear(year + 1) && range.to >= startOfYear(year),
    )
    const isCurrent = ({ differing }: Year) => !differing.some((period) => isIn(period, range))
    const segments = asked.filter(isCurrent).flatMap(({ segment }) => segment ?? [])
    return segments.length < asked.length ? undefined : segments
  }

  function ask<T>(
    table: TableSnapshot,
    range: GroupRange,
    answer: (segments: readonly Opened[]) => T,
  ): T | undefined {
    const segments = segmentsOf(table, range)
    if (segments === undefined) return undefined
    try {
      return answer(segments)
    } catch (error) {
      if (!(error instanceof DamagedSegment)) throw error
      for (const one of segments) if (one.segment.path === error.path) forget(one)
      return undefined
    }
  }

  const lackingOf = ({ tables }: Snapshot) =>
    tables.filter((table) => isIndexed(table) && !yearsOf(table).every((year) => year.isComplete))
  const isIndexed = ({ resource, rows }: TableSnapshot) =>
    resource.keyed !== undefined && rows >= worthwhileRows

  async function load(at: Snapshot): Promise<readonly TableSnapshot[]> {
    for (const table of at.tables.filter(isIndexed)) {
      for (const { year } of wanted(table)) await openNew(table.resource, year)
    }
    years = new WeakMap()
    return lackingOf(at)
  }

  return {
    name: 'hotspot index',
    speedsUp: 'lists and totals of one hotspot',

    sums(table, key, range, columns, visit) {
      return ask(table, range, (segments) => {
        const sums = Object.fromEntries(columns.map((column) => [column, 0n]))
        for (const one of segments) sumYear(one, key, range, sums, visit)
        return sums
      })
    },

    knows: (table, range) => segmentsOf(table, range) !== undefined,

    rows: (table, key, range) => ask(table, range, (segments) => gatherRows(segments, key, range)),

    load,
    lacks: (at) => lackingOf(at).length > 0,
    build: async (at, options) =>
      await buildHotspotIndex(await load(at), { ...options, stateFolder, openWriter }),

    async forget(table) {
      for (const one of ofTable(table)) forget(one)
    },

    close() {
      for (const { segment } of opened.values()) segment.close()
      opened.clear()
    },
  }
}

/** In a folder that cannot be written it stays; then it is loaded after the next commit, and forgotten again. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {}
}

const isIn = (period: bigint, { from, to }: GroupRange) => from <= period && period <= to
