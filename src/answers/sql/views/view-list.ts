import { type FlatColumn, flatColumns, isReward } from '../../../catalog/records/flat-columns.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { resources } from '../../../catalog/resources.ts'
import type { ViewDialect, ViewText } from '../dialects/view-dialect.ts'
import { dailyEarningsView, earningsView, ledgerRewardsView } from './earning-views.ts'
import { isHotspots, withPlaces } from './hotspot-view.ts'
import {
  hotspotOfKey,
  manifestOfFile,
  paidDay,
  paidDayOf,
  rewardSelect,
  rewardViewName,
  type ViewsOf,
} from './reward-view.ts'

/** The views of every engine: one per table, the joined rewards, then those over networks. */
export function listViews(views: ViewsOf, tableSelect: (resource: Resource) => string): readonly ViewText[] {
  const tables = resources.map((resource) => {
    const select = tableSelect(resource)
    const columns = columnsWithPartition(resource)
    return isReward(resource)
      ? viewOf(
          resource.name,
          resource.doc,
          [...columns, paidDay],
          withPaidDay(resource, select, views.dialect),
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
  return [
    ...tables.filter((view) => !isHotspots(view)),
    ...tables.filter(isHotspots).map((view) => withPlaces(view, views)),
    ...rewards,
    ...[earningsView(views), dailyEarningsView(views), ledgerRewardsView(views)],
  ]
}

/** Adds `paid_day` to a SELECT of a table of rewards. */
function withPaidDay(resource: Resource, select: string, dialect: ViewDialect): string {
  const names = columnsWithPartition(resource).map(
    ({ name }) => `t.${dialect.identifier(name)} AS ${dialect.identifier(name)}`,
  )
  const day = `${paidDayOf(resource, dialect)} AS ${dialect.identifier(paidDay.name)}`
  return `SELECT ${names.join(', ')}, ${day} FROM (${select}) t`
}

/** SQL of one engine whose tables are named; other parts can be given. */
export function viewsOver(
  dialect: ViewDialect,
  table: ViewsOf['table'],
  parts: Partial<Pick<ViewsOf, 'paid' | 'manifests' | 'hotspots'>> = {},
): ViewsOf {
  const paid: ViewsOf['paid'] = (resource) =>
    isReward(resource)
      ? table(resource)
      : `(${withPaidDay(resource, `SELECT * FROM ${table(resource)}`, dialect)})`
  const tables = { dialect, table }
  const joined = { manifests: `(${manifestOfFile(tables)})`, hotspots: `(${hotspotOfKey(tables)})` }
  return { ...tables, paid, ...joined, ...parts }
}

/** The columns of a table, its partition column included. */
export function columnsWithPartition(resource: Resource): readonly FlatColumn[] {
  return flatColumns(resource).filter(({ from }) => from.as === 'column' || from.as === 'partition')
}

function viewOf(name: string, doc: string, columns: readonly FlatColumn[], select: string): ViewText {
  return { name, doc, columns: columns.map((column) => ({ name: column.name, doc: column.doc })), select }
}
