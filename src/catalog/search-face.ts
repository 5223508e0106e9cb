/** Kinds of hits, in display order. */
export const hitKinds = ['hotspot', 'maker', 'owner', 'account', 'gateway', 'transaction'] as const

export type HitKind = (typeof hitKinds)[number]

/**
 * How a search matches the values of a column, whole or by prefix. key: exactly. name: like a `named` filter. title:
 * without regard to case, in a table small enough for memory.
 */
type Compared = 'key' | 'name' | 'title'

/** Declares what a search finds in a table: rows, or values of a column. */
export interface SearchFace<Name extends string = string, FilterName extends string = string> {
  readonly kind: HitKind
  /** Searched columns. */
  readonly by: Readonly<Partial<Record<Name, Compared>>>
  /** Column of the key of a hit. */
  readonly key: Name
  readonly name?: Name
  /** Filter that lists the rows of a value, if hits are values. */
  readonly listedBy?: FilterName
}
