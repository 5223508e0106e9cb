import { positionOf } from '../../catalog/query/cursor.ts'
import type { Position, Predicate, RowsPlan } from '../../catalog/query/plan.ts'
import type { Row } from '../../catalog/resource.ts'
import type { ConnectionQuery, ConnectionRows } from './connection.ts'

/** Bounds and direction of a search. */
type Bounds = Pick<RowsPlan, 'after' | 'before' | 'fromEnd'>

/** If the log has no counts, the engine searches from the cursors and reads one extra row to detect a next page. */
export async function searchedConnection(query: ConnectionQuery): Promise<ConnectionRows> {
  const { first, last, after, before } = query.request
  const requested = first ?? last ?? 0
  const fromEnd = first === undefined
  const bounds: Bounds = { ...(after && { after }), ...(before && { before }), ...(fromEnd && { fromEnd }) }
  const foundRows = requested === 0 ? [] : await search(query, bounds, requested + 1)
  const isMore = foundRows.length > requested
  const whole = isMore ? (fromEnd ? foundRows.slice(1) : foundRows.slice(0, -1)) : foundRows
  const rows = fromEnd || last === undefined ? whole : whole.slice(Math.max(0, whole.length - last))
  const [firstPlace, lastPlace] = [positionIn(query, rows[0]), positionIn(query, rows.at(-1))]
  const leading = async (from: Bounds) => positionIn(query, (await search(query, from, 1))[0])

  return {
    rows,
    async hasNextPage() {
      if (lastPlace === undefined) return false
      if (!fromEnd && isMore) return true
      return before !== undefined && (await leading({ after: lastPlace })) !== undefined
    },
    async hasPreviousPage() {
      if (firstPlace === undefined)
        return after !== undefined && !isSamePosition(await leading({}), await leading({ after }))
      if ((fromEnd && isMore) || rows.length < whole.length) return true
      return after !== undefined && (await leading({ before: firstPlace, fromEnd: true })) !== undefined
    },
  }
}

async function search(
  { engine, plan, columns, at, signal }: ConnectionQuery,
  bounds: Bounds,
  limit: number,
): Promise<readonly Row[]> {
  const needed = [...new Set([...columns, ...plan.resource.order.map((step) => step.column)])]
  return await engine.rows(
    withLeadingBounds({ ...plan, ...bounds, columns: needed, limit, offset: 0 }),
    at,
    signal,
  )
}

function positionIn({ plan }: ConnectionQuery, row: Row | undefined): Position | undefined {
  return row === undefined ? undefined : positionOf(plan.resource, row)
}

function isSamePosition(a: Position | undefined, b: Position | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.every((value, index) => value === b[index]))
}

/** Adds bounds on the leading column, which skip files and row groups. */
function withLeadingBounds(plan: RowsPlan): RowsPlan {
  const [leading] = plan.resource.order
  if (leading === undefined) return plan
  const bound = (position: Position | undefined, match: 'atLeast' | 'atMost'): readonly Predicate[] => {
    const value = position?.[0] ?? null
    return value === null ? [] : [{ column: leading.column, match, value }]
  }
  const [onward, backward] = leading.descending
    ? (['atMost', 'atLeast'] as const)
    : (['atLeast', 'atMost'] as const)
  return { ...plan, where: [...plan.where, ...bound(plan.after, onward), ...bound(plan.before, backward)] }
}
