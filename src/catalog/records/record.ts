import { getOrMake } from '../../base/maps.ts'
import type { Json, JsonObject } from '../../base/values/json-writer.ts'
import { embeddedBy } from '../embeddings.ts'
import type { Member, Nested, RecordMembers } from '../members.ts'
import { namesOf, type Resource, type Row } from '../resource.ts'
import { type ManifestFacts, memberColumns, memberOf } from './member.ts'
import { type Spelling, specifiedSpelling } from './spelling.ts'

/** Adds members to a record. Growing one object takes half the time of merging several. */
function addMembers(
  record: Record<string, Json>,
  resource: Resource,
  row: Row,
  members: RecordMembers,
  facts: ManifestFacts,
  spelling: Spelling,
): JsonObject {
  for (const name of Object.keys(members)) {
    const member = members[name]
    if (member === undefined) continue
    record[name] =
      typeof member === 'object' && 'members' in member
        ? addMembers({}, resource, row, member.members, facts, spelling)
        : memberOf(resource, row, member, facts, spelling)
  }
  return record
}

/** Converts a flat row to a REST record: members, then the variant of its type. */
export function toRecord(
  resource: Resource,
  row: Row,
  id: string,
  facts: ManifestFacts,
  embedded: JsonObject = {},
  spelling: Spelling = specifiedSpelling,
): JsonObject {
  const { variants } = resource
  const record: Record<string, Json> = { id }
  addMembers(record, resource, row, resource.record ?? {}, facts, spelling)
  Object.assign(record, embedded)
  if (variants === undefined) return record
  const members = variants.cases[String(row[variants.on])] ?? {}
  record[variants.as] = addMembers({}, resource, row, members, facts, spelling)
  return record
}

/** Columns that the id needs; the type separates manifests of both networks. */
export function idColumns({ columns, key }: Resource): readonly string[] {
  if ('id' in columns) return ['id']
  if (key !== undefined) return [key]
  return ['source_file', 'ordinal', 'reward_type'].filter((column) => column in columns)
}

/** Columns by the joined names of variants; the empty name stands for all. */
const wholeColumns = new WeakMap<Resource, Map<string, readonly string[]>>()

/** Columns that whole records of some variants need, ids and embedded records included; cached. */
export function wholeRecordColumns(resource: Resource, types?: ReadonlySet<string>): readonly string[] {
  const byNames = getOrMake(wholeColumns, resource, () => new Map())
  const names = types === undefined ? '' : [...types].sort().join()
  return getOrMake(byNames, names, () => findWholeRecordColumns(resource, types))
}

function findWholeRecordColumns(
  resource: Resource,
  types: Iterable<string> = namesOf(resource.variants?.cases ?? {}),
): readonly string[] {
  const needed = new Set([...idColumns(resource), ...recordColumns(resource, types), ...embeddedBy(resource)])
  return Object.keys(resource.columns).filter((column) => needed.has(column))
}

/** Columns that members of some variants need, ids and embedded records excluded. */
export function recordColumns(
  { record = {}, variants }: Resource,
  types: Iterable<string>,
): ReadonlySet<string> {
  const cases = [...types].map((type) => variants?.cases[type] ?? {})
  const columns = [record, ...cases].flatMap((members) => Object.values(members).flatMap(columnsOf))
  return new Set(variants === undefined ? columns : [variants.on, ...columns])
}

function columnsOf(member: Member | Nested): readonly string[] {
  return typeof member === 'object' && 'members' in member
    ? Object.values(member.members).flatMap(memberColumns)
    : memberColumns(member)
}
