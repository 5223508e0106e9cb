import type { Resource } from '../catalog/resource.ts'
import { resources } from '../catalog/resources.ts'
import { type FlatColumn, flatColumns, isReward } from '../derive/flat-columns.ts'
import { rewardSelect, type ViewsOf } from './reward-view.ts'

/** A view in the SQL of one engine: its SELECT, and what it and its columns mean. */
export interface ViewText {
  readonly name: string
  readonly doc: string
  readonly columns: readonly { readonly name: string; readonly doc: string }[]
  readonly select: string
}

/** The views that every engine gets: a table each, by the SELECT given, then the joined rewards over them. */
export function listViews(views: ViewsOf, tableSelect: (resource: Resource) => string): readonly ViewText[] {
  const tables = resources.map((resource) =>
    viewOf(resource.name, resource.doc, ownColumns(resource), tableSelect(resource)),
  )
  const rewards = resources
    .filter(isReward)
    .map((resource) =>
      viewOf(
        rewardViewName(resource),
        `${resource.name} with token, price, whole tokens, USD, and the hotspot with its owner and maker.`,
        flatColumns(resource),
        rewardSelect(resource, views),
      ),
    )
  return [...tables, ...rewards]
}

/** `iot_reward_shares` -> `iot_rewards`. */
export function rewardViewName({ name }: Resource): string {
  return name.replace(/_shares$/, 's')
}

/** The columns of a table, its partition column included. */
export function ownColumns(resource: Resource): readonly FlatColumn[] {
  return flatColumns(resource).filter(({ from }) => from.as === 'column' || from.as === 'partition')
}

function viewOf(name: string, doc: string, columns: readonly FlatColumn[], select: string): ViewText {
  return { name, doc, columns: columns.map((column) => ({ name: column.name, doc: column.doc })), select }
}
