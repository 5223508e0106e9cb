import { bigintOf } from '../catalog/column.ts'
import { valuesOfPartition } from '../catalog/partition.ts'
import type { CountPlan } from '../catalog/query/plan.ts'
import type { DataFile } from '../lake/facts/data-file.ts'
import type { Snapshot } from '../lake/snapshot/snapshot.ts'

/** Files that can match the plan, by the partitions of its range. Opens no file. */
export function filesOf(plan: CountPlan, at: Snapshot): readonly DataFile[] {
  const { resource, where } = plan
  const files = at.table(resource).files.filter((file) => file.rows > 0)
  const bounds = where.filter((predicate) => predicate.column === resource.partition?.of)
  if (bounds.length === 0) return files
  return files.filter(({ partition }) => {
    const partitionValues = valuesOfPartition(resource, partition)
    if (partitionValues === null) return true
    return bounds.every(({ match, value }) => {
      const isFromOn = match === 'atMost' || partitionValues.end > bigintOf(value)
      return isFromOn && (match === 'atLeast' || partitionValues.first <= bigintOf(value))
    })
  })
}
