import { joinRanges } from '../../catalog/query/join-ranges.ts'
import type { ListPlan } from '../../catalog/query/plan.ts'
import { toRangesPlan } from '../../catalog/query/to-plan.ts'
import type { CopyForm, RowNumberReads } from '../../engine/engine.ts'
import type { GroupKey } from '../../lake/facts/group-series.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { GroupsOfLog, RowsOfLog } from './choose.ts'
import { cutRanges } from './cut-ranges.ts'

/** Has the engine write rows that the log locates. */
export interface ListCopy {
  /** True if the log has the groups of the rows. */
  readonly isGrouped: boolean
  /** Rows `offset` to `offset + rows` as a file, whose SQL depends on their groups. */
  part(offset: number, rows: number, formOf: (groups: readonly GroupKey[]) => CopyForm): Promise<Uint8Array>
}

export function copyOf(
  byRowNumber: RowNumberReads,
  logged: GroupsOfLog | RowsOfLog,
  plan: ListPlan,
  at: Snapshot,
  signal: AbortSignal | undefined,
): ListCopy {
  const isGrouped = 'range' in logged
  const { statistics } = at.table(plan.resource)
  return {
    isGrouped,
    async part(offset, rows, formOf) {
      const groups = isGrouped ? statistics.cut(logged.range, offset, rows) : []
      const ranges = isGrouped ? joinRanges(groups) : cutRanges(logged.ranges, offset, rows)
      const form = formOf(groups.map(({ group }) => group))
      const columns = [...new Set([...plan.columns, ...form.joinedBy])]
      return await byRowNumber.copy(toRangesPlan({ ...plan, columns }, ranges), form, at, signal)
    },
  }
}
