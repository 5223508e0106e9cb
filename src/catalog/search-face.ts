/** What can be found by a text, in the order in which it is shown. */
export const hitKinds = ['hotspot', 'maker', 'owner', 'account', 'gateway', 'transaction'] as const

export type HitKind = (typeof hitKinds)[number]

/**
 * How a searched text is compared with the values of a column, whole or as their start. key: letter for letter. name: as a
 * `named` filter. title: in any letter case, in a table so small that it is kept in memory.
 */
type Compared = 'key' | 'name' | 'title'

/** What a search finds in a table: its rows, or the values of one of its columns. */
export interface SearchFace<Name extends string = string, FilterName extends string = string> {
  readonly kind: HitKind
  /** The columns that are searched. */
  readonly by: Readonly<Partial<Record<Name, Compared>>>
  /** By which people know what is found. */
  readonly key: Name
  readonly name?: Name
  /** Where values are found: the filter that lists the rows of one. */
  readonly listedBy?: FilterName
}
