import type { Position } from './plan.ts'

/** Paging arguments of a GraphQL connection. With both, `last` applies to the `first` rows. */
export interface ConnectionRequest {
  readonly first: number | undefined
  readonly last: number | undefined
  readonly after: Position | undefined
  readonly before: Position | undefined
}

/** Rows `start` up to but not including `end` of all matching rows. */
export interface RowWindow {
  readonly start: number
  readonly end: number
}

/** Applies the request to the rows between its cursors, `low` up to but not including `high`. */
export function windowOf({ first, last }: ConnectionRequest, low: number, high: number): RowWindow {
  const end = first === undefined ? Math.max(low, high) : Math.max(low, Math.min(high, low + first))
  return { start: last === undefined ? low : Math.max(low, end - last), end }
}
