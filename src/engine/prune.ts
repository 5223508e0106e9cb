import { LAST_INSTANT, monthOf } from '../derive/instant.ts'
import type { DataFile } from '../lake/data-file.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import type { CountPlan } from '../query/plan.ts'

/** The files that can hold rows of the plan, by the months of its time range. No file is opened to decide. */
export function filesOf(plan: CountPlan, at: Snapshot): readonly DataFile[] {
  const { resource, where } = plan
  const files = at.table(resource).files.filter((file) => file.rows > 0)
  const by = resource.partition?.of
  if (by === undefined) return files
  const bounds = where.filter((predicate) => predicate.column === by)
  const from = bounds.find((predicate) => predicate.match !== 'atMost')?.value as bigint | undefined
  const to = bounds.find((predicate) => predicate.match !== 'atLeast')?.value as bigint | undefined
  const first = from === undefined ? '' : monthOf(from)
  const last = to === undefined || to > LAST_INSTANT ? '9999-12' : monthOf(to)
  return files.filter(({ month }) => month === null || (month >= first && month <= last))
}
