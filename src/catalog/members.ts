/** A member of a record: a column, or a function of a column. */
export type Member<Name extends string = string> = Name | { readonly derive: Derivation; readonly of: Name }

/**
 * formatted: amount in whole tokens, by the token of the row's manifest.
 * offloaded_bytes: the bytes that a data reward pays for, by the price of the row's manifest.
 * number: a decimal as a JSON number with every digit.
 * truncated: exact decimal text, cut toward zero to an integer.
 */
export type Derivation = 'formatted' | 'offloaded_bytes' | 'number' | 'truncated'

export type Members<Name extends string = string> = Readonly<Record<string, Member<Name>>>

/** Members of a nested object. */
export interface Nested<Name extends string = string> {
  readonly members: Members<Name>
}

export type RecordMembers<Name extends string = string> = Readonly<
  Record<string, Member<Name> | Nested<Name>>
>

/** Declares members that are columns of the same name. */
export function asColumns<const Names extends readonly string[]>(
  ...names: Names
): { [N in Names[number]]: N } {
  return Object.fromEntries(names.map((name) => [name, name])) as { [N in Names[number]]: N }
}

/** Declares amounts, each followed by its `formatted_…` member. */
export function withFormatted<const Name extends string>(
  ...names: readonly Name[]
): Readonly<Record<Name | `formatted_${Name}`, Member<Name>>> {
  const members = names.flatMap((name): [string, Member<Name>][] => [
    [name, name],
    [`formatted_${name}`, { derive: 'formatted', of: name }],
  ])
  return Object.fromEntries(members) as Record<Name | `formatted_${Name}`, Member<Name>>
}
