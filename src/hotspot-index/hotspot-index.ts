import { join } from 'node:path'
import type { Snapshot, TableSnapshot } from '../lake/snapshot.ts'
import type { GroupRange } from '../query/group-range.ts'
import { sumBlock } from './block.ts'
import { groupText, indexedColumns, startOfYear, type Wanted, wantedOf } from './contents.ts'
import { isWhole, openIfWhole, segmentPaths, segmentsFolder } from './folder.ts'
import type { Segment } from './segment.ts'

/** Called for each row that is summed, with the source of the row and its amounts by column. */
export type VisitRow = (source: string, amountOf: (column: string) => bigint) => void

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

/** A segment, and what follows from its groups. */
interface Opened {
  readonly segment: Segment
  readonly periods: readonly bigint[]
  /** Of each group, the place of its period among the periods. */
  readonly rankOf: Int32Array
}

/** The files of smaller tables are summed as fast. */
const WORTHWHILE_ROWS = 100_000

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
  async function openNew(folder: string, year: number): Promise<void> {
    const paths = await segmentPaths(folder, year)
    for (const path of paths.filter((path) => !opened.has(path))) {
      const segment = openIfWhole(path)
      if (segment !== undefined) opened.set(path, prepare(segment))
    }
    const prefix = join(folder, `${year}-`)
    for (const [path, one] of opened) if (path.startsWith(prefix) && !paths.includes(path)) forget(one)
  }

  const isIndexed = ({ resource, rows }: TableSnapshot) =>
    resource.keyed !== undefined && rows >= worthwhileRows

  return {
    sums(table, key, range, columns, visit) {
      const sums = Object.fromEntries(columns.map((column) => [column, 0n]))
      const asked = yearsOf(table).filter(
        ({ year }) => range.from < startOfYear(year + 1) && range.to >= startOfYear(year),
      )
      if (
        asked.some(
          ({ segment, unknown }) => segment === undefined || unknown.some((period) => isIn(period, range)),
        )
      )
        return undefined
      for (const { segment } of asked) {
        if (segment === undefined) continue
        try {
          addYear(segment, key, range, columns, sums, visit)
        } catch {
          // Bytes that are not as they were written; the files answer, and the segment is made anew.
          forget(segment)
          return undefined
        }
      }
      return sums
    },

    async load(at) {
      const tables = at.tables.filter(isIndexed)
      for (const table of tables) {
        const folder = join(segmentsFolder(stateFolder), table.resource.name)
        for (const { year } of wanted(table)) {
          await openNew(folder, year)
        }
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

const isIn = (period: bigint, { from, to }: GroupRange) => from <= period && period <= to

/** The segment that tells most of a year. */
function bestFor(table: TableSnapshot, wanted: Wanted, opened: readonly Opened[]): Year {
  const columns = indexedColumns(table).join()
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

function prepare(segment: Segment): Opened {
  const { groups } = segment.contents
  const periods = [...new Set(groups.map((group) => group.end_period))].sort((a, b) => (a < b ? -1 : 1))
  const rank = new Map(periods.map((period, index) => [period, index]))
  return { segment, periods, rankOf: Int32Array.from(groups, (group) => rank.get(group.end_period) ?? -1) }
}

function addYear(
  { segment, periods, rankOf }: Opened,
  key: string,
  { from, to, rewardType }: GroupRange,
  columns: readonly string[],
  sums: Record<string, bigint>,
  visit: VisitRow | undefined,
): void {
  const block = segment.block(key)
  if (block === undefined) return
  const { groups, columns: own } = segment.contents
  const least = periods.findIndex((period) => period >= from)
  const after = periods.findIndex((period) => period > to)
  const end = after < 0 ? periods.length : after
  const isIn = new Uint8Array(groups.length)
  for (let group = 0; group < groups.length && least >= 0; group += 1) {
    const rank = rankOf[group] ?? -1
    const isType = rewardType === undefined || groups[group]?.reward_type === rewardType
    if (rank >= least && rank < end && isType) isIn[group] = 1
  }
  // Column 0 of a block is the group.
  const placeOf = (column: string) => own.indexOf(column) + 1
  const onRow =
    visit &&
    ((group: number, amountAt: (column: number) => bigint) =>
      visit(groups[group]?.source ?? '', (column) => amountAt(placeOf(column))))
  const found = sumBlock(block, isIn, columns.map(placeOf), onRow)
  for (const [index, column] of columns.entries()) sums[column] = (sums[column] ?? 0n) + (found[index] ?? 0n)
}
