import type { Resource } from '../catalog/resource.ts'
import { type ColumnCodec, codecOf, type Token } from '../derive/column-codecs.ts'
import { type GroupKey, groupColumns } from '../lake/series.ts'

/** A group, and the values that all its rows share. */
export interface IndexedGroup extends GroupKey {
  /** Numbers of the columns that are stored with each row. */
  readonly fields: readonly number[]
  /** By column number, the value that all rows share; none where it is null. */
  readonly common: ReadonlyMap<number, Token>
}

/** How the blocks of a segment are read and written. */
export interface BlockLayout {
  /** Codecs of the columns by their numbers. */
  readonly codecs: readonly ColumnCodec[]
  readonly groups: readonly IndexedGroup[]
  /** How many types of groups there are. */
  readonly types: number
  /** The group that most often follows a group: the next of its type. -1 asks for the first. */
  after(group: number): number
  /** The place of the first column of a group's type, among the columns of all types. */
  firstPlace(group: number): number
  /** The place of a column among those stored with rows of a group; -1 when it is none of them. */
  fieldOf(group: number, column: number): number
  /** The value that all rows of a group share in a column; undefined when it is null or stored with each row. */
  commonOf(group: number, column: number): Token | undefined
}

const none: readonly number[] = []

export function fieldsOf({ groups }: BlockLayout, group: number): readonly number[] {
  return groups[group]?.fields ?? none
}

/** All columns but those that follow from the key and the group of a row. */
export function blockColumns(resource: Resource): readonly string[] {
  const shared = groupColumns(resource)
  return Object.keys(resource.columns).filter((name) => name !== resource.keyed && !(name in shared))
}

export function blockLayout(resource: Resource, groups: readonly IndexedGroup[]): BlockLayout {
  const codecs = blockColumns(resource).flatMap((name) => {
    const column = resource.columns[name]
    return column === undefined ? [] : [codecOf(column)]
  })
  const typeNumbers = new Map<string, number>()
  for (const { type } of groups) if (!typeNumbers.has(type)) typeNumbers.set(type, typeNumbers.size)
  const types = Int32Array.from(groups, ({ type }) => typeNumbers.get(type) ?? 0)
  const next = nextOfType(types)
  const places = Int8Array.from(
    groups.flatMap(({ fields }) => codecs.map((_, column) => fields.indexOf(column))),
  )
  const common = groups.flatMap((group) => codecs.map((_, column) => group.common.get(column)))
  return {
    codecs,
    groups,
    types: typeNumbers.size,
    after: (group) => next[group + 1] ?? 0,
    firstPlace: (group) => (types[group] ?? 0) * codecs.length,
    fieldOf: (group, column) => places[group * codecs.length + column] ?? -1,
    commonOf: (group, column) => common[group * codecs.length + column],
  }
}

/** At place 0 the first group, then for each group the next of its type; -1 when there is none. */
function nextOfType(types: Int32Array): Int32Array {
  const next = new Int32Array(types.length + 1).fill(-1)
  const seen = new Map<number, number>()
  for (let group = types.length - 1; group >= 0; group -= 1) {
    const type = types[group] ?? 0
    next[group + 1] = seen.get(type) ?? -1
    seen.set(type, group)
  }
  next[0] = 0
  return next
}
