import type { TableSnapshot } from '../lake/snapshot.ts'
import { describeColumns, groupText, startOfYear, type Wanted } from './contents.ts'
import { isComplete } from './folder.ts'
import type { Opened } from './opened.ts'
import type { Segment } from './segment.ts'

/** A year of a version of a table: its segment, if there is one, and the periods in which the two differ. */
export interface Year {
  /** Where it begins and where the next one does. */
  readonly begin: bigint
  readonly end: bigint
  readonly segment: Opened | undefined
  /** Periods of which the segment and the table do not have the same rows. */
  readonly differing: readonly bigint[]
  readonly isComplete: boolean
}

/** The segment with the fewest periods that differ. */
export function bestFor(table: TableSnapshot, wanted: Wanted, opened: readonly Opened[]): Year {
  const columns = describeColumns(table.resource).join()
  const { year } = wanted
  const bounds = { begin: startOfYear(year), end: startOfYear(year + 1) }
  const fits = opened
    .filter(({ segment: { contents } }) => contents.year === year && contents.columns.join() === columns)
    .map((one): Year => {
      const differing = differingPeriods(one.segment, wanted)
      return {
        ...bounds,
        segment: one,
        differing,
        isComplete: isComplete(one.segment, table, wanted),
      }
    })
    .sort((a, b) => a.differing.length - b.differing.length)
  return fits[0] ?? { ...bounds, segment: undefined, differing: [], isComplete: false }
}

function differingPeriods({ contents }: Segment, wanted: Wanted): readonly bigint[] {
  const inSegment = new Set(contents.groups.map(groupText))
  const inTable = new Set(wanted.groups.map(groupText))
  const changed = new Set(
    Object.keys({ ...contents.sources, ...wanted.sources })
      .filter((source) => contents.sources[source] !== wanted.sources[source])
      .map((source) => source.slice(source.indexOf('/') + 1)),
  )
  const isDifferent = (group: Wanted['groups'][number]) =>
    changed.has(group.source) || !inSegment.has(groupText(group)) || !inTable.has(groupText(group))
  const periods = [...contents.groups, ...wanted.groups].filter(isDifferent).map((group) => group.period)
  return [...new Set(periods)]
}
