import type { Derivation, Member } from '../members.ts'
import type { Resource } from '../resource.ts'

const meanings: Readonly<Record<Derivation, (of: string, doc: string) => string>> = {
  formatted: (of) => `${of} in whole tokens; null while the manifest is unknown.`,
  offloaded_bytes: (of) =>
    `${of} × 2^31 / price of the manifest, rounded half up; null while the manifest is unknown or its price is 0.`,
  number: (_of, doc) => `${doc} With every digit of the source.`,
  truncated: (of) => `${of} cut toward zero to an integer.`,
}

/** Describes a member; `mark` formats names of columns. */
export function memberMeaning(
  { columns }: Resource,
  member: Member,
  mark: (name: string) => string = (name) => name,
): string {
  if (typeof member === 'string') return columns[member]?.doc ?? ''
  return meanings[member.derive](mark(member.of), columns[member.of]?.doc ?? '')
}

/** Describes the summand of a total. */
export function totalMeaning(member: Member, mark: (name: string) => string = (name) => name): string {
  if (typeof member === 'string') return mark(member)
  const { derive, of } = member
  return derive === 'offloaded_bytes'
    ? `offloaded bytes of ${mark(of)}, each row rounded; rows of an unknown price add nothing`
    : mark(of)
}

/** Describes the origin of an id. */
export function idMeaning(
  { columns, key }: Resource,
  mark: (name: string) => string = (name) => name,
): string {
  if (columns.id !== undefined) return columns.id.doc
  return key === undefined
    ? 'UUID that follows from the source file and the ordinal.'
    : `UUID that follows from the first characters of ${mark(key)}.`
}
