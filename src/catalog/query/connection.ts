import type { Position } from './plan.ts'

/** Which part of a list a GraphQL connection asks for. With both, `last` counts within the `first` rows. */
export interface ConnectionRequest {
  readonly first: number | undefined
  readonly last: number | undefined
  readonly after: Position | undefined
  readonly before: Position | undefined
}

/** Rows `start` up to but not including `end`, counted from 0 over all that match. */
export interface Part {
  readonly start: number
  readonly end: number
}

/** The rows of a request out of those between its cursors, which are rows `low` up to but not including `high`. */
export function partOf({ first, last }: ConnectionRequest, low: number, high: number): Part {
  const end = first === undefined ? Math.max(low, high) : Math.max(low, Math.min(high, low + first))
  return { start: last === undefined ? low : Math.max(low, end - last), end }
}
