import { listWords } from '../../base/list-words.ts'
import { type FlatColumn, flatColumns, isReward } from '../../catalog/records/flat-columns.ts'
import type { Resource } from '../../catalog/resource.ts'
import { resources } from '../../catalog/resources.ts'
import { cast, type ViewDialect, type ViewText } from './dialects/view-dialect.ts'
import { paidDay, rewardSelect, type ViewsOf } from './reward-view.ts'

/** The views of every engine: one per table, then the joined rewards. */
export function listViews(views: ViewsOf, tableSelect: (resource: Resource) => string): readonly ViewText[] {
  const tables = resources.map((resource) => {
    const select = tableSelect(resource)
    const columns = columnsWithPartition(resource)
    return isReward(resource)
      ? viewOf(
          resource.name,
          resource.doc,
          [...columns, paidDay],
          withPaidDay(columns, select, views.dialect),
        )
      : viewOf(resource.name, resource.doc, columns, select)
  })
  const rewards = resources
    .filter(isReward)
    .map((resource) =>
      viewOf(
        rewardViewName(resource),
        `${resource.name} with token, price, whole tokens, USD, and the hotspot with its owner and maker.`,
        [...flatColumns(resource), paidDay],
        rewardSelect(resource, views),
      ),
    )
  return [...tables, ...rewards]
}

function withPaidDay(
  columns: readonly FlatColumn[],
  select: string,
  { identifier, middleDay, types }: ViewDialect,
): string {
  const names = columns.map(({ name }) => `t.${identifier(name)} AS ${identifier(name)}`)
  const day = cast(middleDay('t.start_period', 't.end_period'), types.date)
  return `SELECT ${names.join(', ')}, ${day} AS ${identifier(paidDay.name)} FROM (${select}) t`
}

/** `iot_reward_shares` -> `iot_rewards`. */
export function rewardViewName({ name }: Resource): string {
  return name.replace(/_shares$/, 's')
}

/** The joined rewards in a sentence: `iot_rewards and mobile_rewards`. */
export const rewardViewNames: string = listWords(resources.filter(isReward).map(rewardViewName), 'and')

/** The columns of a table, its partition column included. */
export function columnsWithPartition(resource: Resource): readonly FlatColumn[] {
  return flatColumns(resource).filter(({ from }) => from.as === 'column' || from.as === 'partition')
}

function viewOf(name: string, doc: string, columns: readonly FlatColumn[], select: string): ViewText {
  return { name, doc, columns: columns.map((column) => ({ name: column.name, doc: column.doc })), select }
}
