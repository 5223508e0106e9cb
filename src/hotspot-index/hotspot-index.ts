import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Resource } from '../catalog/resource.ts'
import type { Snapshot, TableSnapshot } from '../lake/snapshot.ts'
import type { GroupRange } from '../query/group-range.ts'
import { describeColumns, groupText, startOfYear, type Wanted, wantedOf } from './contents.ts'
import { isWhole, openIfWhole, segmentPaths, segmentsFolder } from './folder.ts'
import { gatherRows, type KeyedRows } from './keyed-rows.ts'
import { type Opened, prepare, sumYear, type VisitRow } from './opened.ts'
import { DamagedSegment, type Segment } from './segment.ts'

export interface HotspotIndex {
  /**
   * Sums of columns over the rows of one key, exact. Undefined when no segment that is known was made of all the sources
   * that the range needs: then the files answer.
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
  /** Looks for segments of a snapshot; gives the tables that lack some. */
  load(at: Snapshot): Promise<readonly TableSnapshot[]>
  /** Whether a table of a snapshot lacks segments that it should have. */
  lacks(at: Snapshot): boolean
  close(): void
}

/** A year of a version of a table: its segment, if there is one, and which periods that one does not tell of. */
interface Year {
  readonly year: number
  readonly segment: Opened | undefined
  /** Periods of groups that are in the table or in the segment, but not in both. */
  readonly unknown: readonly bigint[]
  readonly isWhole: boolean
}

/** The files of smaller tables are summed as fast. */
const WORTHWHILE_ROWS = 10_000

/** `stateFolder` may be missing: then nothing is answered here. */
export function openHotspotIndex(stateFolder: string, worthwhileRows = WORTHWHILE_ROWS): HotspotIndex {
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

  function forget({ segment }: Opened): void {
    opened.delete(segment.path)
    segment.close()
    years = new WeakMap()
  }

  /** Opens the segments of a year that are there, and closes those that are not any more. */
  async function openNew(resource: Resource, year: number): Promise<void> {
    const folder = join(segmentsFolder(stateFolder), resource.name)
    const paths = await segmentPaths(folder, year)
    for (const path of paths.filter((path) => !opened.has(path))) {
      const segment = openIfWhole(path)
      if (segment !== undefined) opened.set(path, prepare(resource, segment))
    }
    const prefix = join(folder, `${year}-`)
    for (const [path, one] of opened) if (path.startsWith(prefix) && !paths.includes(path)) forget(one)
  }

  /** The segments of all years that a range touches; undefined when one of them cannot tell. */
  function segmentsOf(table: TableSnapshot, range: GroupRange): readonly Opened[] | undefined {
    const asked = yearsOf(table).filter(
      ({ year }) => range.from < startOfYear(year + 1) && range.to >= startOfYear(year),
    )
    const knows = ({ unknown }: Year) => !unknown.some((period) => isIn(period, range))
    const segments = asked.filter(knows).flatMap(({ segment }) => segment ?? [])
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
      // The files answer, and the segment is made anew.
      for (const one of segments) if (one.segment.path === error.path) forget(one)
      remove(error.path)
      return undefined
    }
  }

  const isIndexed = ({ resource, rows }: TableSnapshot) =>
    resource.keyed !== undefined && rows >= worthwhileRows

  return {
    sums(table, key, range, columns, visit) {
      return ask(table, range, (segments) => {
        const sums = Object.fromEntries(columns.map((column) => [column, 0n]))
        for (const one of segments) sumYear(one, key, range, sums, visit)
        return sums
      })
    },

    knows: (table, range) => segmentsOf(table, range) !== undefined,

    rows: (table, key, range) => ask(table, range, (segments) => gatherRows(segments, key, range)),

    async load(at) {
      const tables = at.tables.filter(isIndexed)
      for (const table of tables) {
        for (const { year } of wanted(table)) await openNew(table.resource, year)
      }
      years = new WeakMap()
      return tables.filter((table) => !yearsOf(table).every((year) => year.isWhole))
    },

    lacks: (at) => at.tables.filter(isIndexed).some((table) => !yearsOf(table).every((year) => year.isWhole)),

    close() {
      for (const { segment } of opened.values()) segment.close()
      opened.clear()
    },
  }
}

/** A folder that cannot be written keeps it; it is read again after the next commit, and given up again. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {}
}

const isIn = (period: bigint, { from, to }: GroupRange) => from <= period && period <= to

/** The segment that tells most of a year. */
function bestFor(table: TableSnapshot, wanted: Wanted, opened: readonly Opened[]): Year {
  const columns = describeColumns(table.resource).join()
  const fits = opened
    .filter(
      ({ segment: { contents } }) => contents.year === wanted.year && contents.columns.join() === columns,
    )
    .map((one): Year => {
      const unknown = unknownPeriods(one.segment, wanted)
      return { year: wanted.year, segment: one, unknown, isWhole: isWhole(one.segment, table, wanted) }
    })
    .sort((a, b) => a.unknown.length - b.unknown.length)
  return fits[0] ?? { year: wanted.year, segment: undefined, unknown: [], isWhole: false }
}

/** Periods of which the segment and the table do not have the same rows. */
function unknownPeriods({ contents }: Segment, wanted: Wanted): readonly bigint[] {
  const inSegment = new Set(contents.groups.map(groupText))
  const inTable = new Set(wanted.groups.map(groupText))
  const changed = new Set(
    Object.keys({ ...contents.sources, ...wanted.sources })
      .filter((source) => contents.sources[source] !== wanted.sources[source])
      .map((source) => source.slice(source.indexOf('/') + 1)),
  )
  const isUnknown = (group: Wanted['groups'][number]) =>
    changed.has(group.source) || !inSegment.has(groupText(group)) || !inTable.has(groupText(group))
  const periods = [...contents.groups, ...wanted.groups].filter(isUnknown).map((group) => group.end_period)
  return [...new Set(periods)]
}
