import type { ApiKey } from '../../keys/api-key.ts'
import type { RestOperation } from '../contract/operations.ts'
import type { CheckedQuery } from '../contract/query-schema.ts'
import { reachOf } from '../gate/look-back.ts'
import type { Representation, WholeBody } from '../reply/representation.ts'
import { serverTiming } from '../reply/server-timing.ts'
import type { RestContext } from './context.ts'
import { daysOfQueries } from './days-of-query.ts'
import { handlerOf, type RestRequest } from './handlers.ts'
import { Plan } from './plan.ts'
import { writeBody } from './reply-body.ts'
import { openReplyHeads, type ReplyHeads } from './reply-heads.ts'

/** Plans the requests of one operation, and answers them without I/O where that is possible. */
export interface Planner {
  readonly heads: ReplyHeads
  /** Returns undefined if the snapshot or its manifests are not in memory. Errors: `malformed_request`. */
  planAtOnce(query: CheckedQuery, id: string, key: ApiKey | null): Plan | undefined
  /** Reads what a plan needs to know of a snapshot, and plans the request. Errors: `malformed_request`, `lake_damaged`. */
  planLater(asked: RestRequest, key: ApiKey | null, signal: AbortSignal): Promise<Plan>
  /** Returns the response if no I/O is needed. A plan is tried once. */
  peek(plan: Plan): Representation<WholeBody> | undefined
}

export function openPlanner(context: RestContext, operation: RestOperation): Planner {
  const { kind } = operation
  const { dialect, repository, snapshots, cache, gate } = context
  const days = daysOfQueries(operation, repository)
  const heads = openReplyHeads(operation, context, days)
  const searchFor = handlerOf(operation, repository, dialect)
  const isRead = kind === 'list' || kind === 'find'

  function planOf(asked: RestRequest, key: ApiKey | null): Plan {
    const query = days.withinReach(asked, key)
    const request = query === asked.query ? asked : { ...asked, query }
    return new Plan(asked, request, heads.of(request, key !== null), searchFor)
  }

  function peekResult({ request, search: { peek, by = '' } }: Plan) {
    const begun = performance.now()
    const result = peek?.()
    return result && writeBody(result, kind, request, serverTiming(begun, result.by ?? by))
  }

  /** Reads the response if this turn of the event loop has time left, and caches it. */
  function peekWithinBudget(plan: Plan) {
    const ready = gate.loopBudget.hasRoom ? gate.loopBudget.spend(() => peekResult(plan)) : undefined
    if (ready !== undefined) cache.set(plan.head.tag, ready)
    return ready
  }

  return {
    heads,

    planAtOnce(query, id, key) {
      const at = snapshots.known(query.asOf)
      if (at === undefined || !days.isKnown(query, at)) return undefined
      return planOf({ query, at, id, reach: reachOf({ apiKey: key }) }, key)
    },

    async planLater(asked, key, signal) {
      await days.read(asked.query, asked.at, signal)
      return planOf(asked, key)
    },

    peek(plan) {
      const { tag } = plan.head
      return plan.peekOnce(() =>
        isRead ? (cache.get(tag) ?? peekWithinBudget(plan)) : (peekResult(plan) ?? cache.get(tag)),
      )
    },
  }
}
