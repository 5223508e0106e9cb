import type { Resource } from '../catalog/resource.ts'
import type { GroupKey } from '../lake/series.ts'
import { type Form, formOf, type Token } from './forms.ts'

/** A group, and what its rows have in common. */
export interface IndexedGroup extends GroupKey {
  /** Columns that each row says for itself, by their numbers. */
  readonly fields: readonly number[]
  /** What all rows have in other columns; null where there is nothing. */
  readonly common: ReadonlyMap<number, Token>
}

/** What has to be known of a segment to read and write its blocks. */
export interface BlockForm {
  /** Forms of the columns by their numbers. */
  readonly forms: readonly Form[]
  readonly groups: readonly IndexedGroup[]
  /** How many reward types there are. */
  readonly types: number
  /** The group that most often follows one: the next of its reward type. -1 stands for none before. */
  after(group: number): number
  /** Where the columns of a group's reward type begin, among the columns of all types. */
  firstPlace(group: number): number
  /** The place of a column among those that rows of a group say; -1 when it is none of them. */
  fieldOf(group: number, column: number): number
  /** What all rows of a group have in a column; undefined where there is nothing, or each row says it. */
  commonOf(group: number, column: number): Token | undefined
}

const none: readonly number[] = []

export function fieldsOf({ groups }: BlockForm, group: number): readonly number[] {
  return groups[group]?.fields ?? none
}

/** The columns that a block can say: all but those that the key and the group of a row tell. */
export function blockColumns({ columns, keyed, statistics }: Resource): readonly string[] {
  const told = new Set<string>(['source_file', keyed ?? '', ...(statistics ?? [])])
  return Object.keys(columns).filter((name) => !told.has(name))
}

export function blockForm(resource: Resource, groups: readonly IndexedGroup[]): BlockForm {
  const forms = blockColumns(resource).flatMap((name) => {
    const column = resource.columns[name]
    return column === undefined ? [] : [formOf(column)]
  })
  const typeNumbers = new Map<string, number>()
  for (const { reward_type } of groups) {
    if (!typeNumbers.has(reward_type)) typeNumbers.set(reward_type, typeNumbers.size)
  }
  const types = Int32Array.from(groups, ({ reward_type }) => typeNumbers.get(reward_type) ?? 0)
  const next = nextOfType(types)
  const places = Int8Array.from(
    groups.flatMap(({ fields }) => forms.map((_, column) => fields.indexOf(column))),
  )
  const common = groups.flatMap((group) => forms.map((_, column) => group.common.get(column)))
  return {
    forms,
    groups,
    types: typeNumbers.size,
    after: (group) => next[group + 1] ?? 0,
    firstPlace: (group) => (types[group] ?? 0) * forms.length,
    fieldOf: (group, column) => places[group * forms.length + column] ?? -1,
    commonOf: (group, column) => common[group * forms.length + column],
  }
}

/** For none and for each group. The last of its type has none after it. */
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
