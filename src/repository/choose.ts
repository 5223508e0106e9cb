import type { Engine } from '../engine/engine.ts'
import type { KeyIndex } from '../index/keyed/key-index.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import { type GroupRange, groupRangeOf, type KeyedRange, keyedRangeOf } from '../query/group-range.ts'
import type { CountPlan, SumsPlan } from '../query/plan.ts'

/** By searching its files: `search` counts chunks and reads those of a page, `engine` is asked for all of it. */
type Searched = { readonly by: 'search' } | { readonly by: 'engine' }

/** Who answers a plan, decided before anything is read. */
export type Choice =
  /** The sums of groups stand in the log. */
  | { readonly by: 'log'; readonly range: GroupRange }
  /** The log says which rows of which files they are, and the engine reads them by number. */
  | { readonly by: 'placed'; readonly range: GroupRange }
  /** The log counts the rows, and an engine without row numbers finds those of a page by their order. */
  | { readonly by: 'counted'; readonly range: GroupRange }
  /** The rows of one key lie together; `otherwise` when they turn out to be damaged. */
  | ({ readonly by: 'hotspot-index'; readonly otherwise: Searched } & KeyedRange)
  | Searched

/** What is asked of the rows of a plan: one page of them or the first, what lies between cursors, or sums. */
export type Verb = 'page' | 'connection' | 'totals'

/** What there is to choose from. */
export interface Answerers {
  readonly engine: Engine
  readonly index: KeyIndex
}

export function choose(
  verb: Verb,
  plan: CountPlan & Partial<Pick<SumsPlan, 'groupBy'>>,
  at: Snapshot,
  { engine, index }: Answerers,
): Choice {
  if (plan.groupBy !== undefined && plan.groupBy.length > 0) return { by: 'engine' }
  const range = groupRangeOf(plan)
  if (range !== undefined && verb === 'totals') return { by: 'log', range }
  const isPlaced = engine.placed !== undefined
  if (range !== undefined && isPlaced) return { by: 'placed', range }
  if (range !== undefined && verb === 'page') return { by: 'counted', range }
  const hasChunks = isPlaced && plan.resource.access !== undefined
  const searched: Searched = { by: verb === 'page' && hasChunks ? 'search' : 'engine' }
  const keyed = keyedRangeOf(plan)
  return keyed !== undefined && index.knows(at.table(plan.resource), keyed.range)
    ? { by: 'hotspot-index', ...keyed, otherwise: searched }
    : searched
}

/** Reads by file and row number, for a choice that needs them. */
export function placedOf({ placed }: Engine): NonNullable<Engine['placed']> {
  if (placed === undefined) throw new Error('the engine reads nothing by file and row number')
  return placed
}
