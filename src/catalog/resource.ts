import type { Column, Value, ValueOf } from './column.ts'

/** One step of an order. Text is ordered by bytes; nulls come first. */
export interface OrderStep {
  readonly column: string
  readonly descending?: true
}

/** A query parameter: which column it is compared with, and how. Both ends of a range are included. */
export interface Filter {
  readonly column: string
  readonly match: 'equals' | 'atLeast' | 'atMost'
  readonly required?: true
  readonly doc: string
}

/** How a member of a record follows from a row: the column itself, or a named function of a column. */
export type Member = string | { readonly derive: Derivation; readonly of: string }

/**
 * formatted: amount in whole tokens, by the token of the row's manifest.
 * offloaded_bytes: what a data reward stands for, by the price of the row's manifest.
 * number: a decimal as a JSON number with every digit.
 * truncated: exact decimal text, cut toward zero to an integer.
 */
export type Derivation = 'formatted' | 'offloaded_bytes' | 'number' | 'truncated'

export type Members = Readonly<Record<string, Member>>

/** The variants of a nested object; the value of column `on` chooses. */
interface Variants {
  readonly on: string
  readonly as: string
  readonly cases: Readonly<Record<string, Members>>
}

/** What a REST caller may ask of a resource. */
export interface RestFace {
  readonly path: string
  readonly envelope: 'objects' | 'records'
  readonly list: string
  readonly totals?: string
  readonly summary: string
}

/** What a GraphQL caller may ask of a resource. Names are those of the columns; GraphQL has them in camelCase. */
export interface GraphqlFace {
  /** Field of the query type. */
  readonly query: string
  /** Type of a node. */
  readonly node: string
  /** Id under which the list is asked with GET alone. */
  readonly persisted?: string
  /** Fields of a node beside `id`. */
  readonly fields: Members
  /** Fields that no file fills, and what they would say. */
  readonly unfilled?: Readonly<Record<string, string>>
  /** The variant object: its name, and the type of each case. */
  readonly detail?: { readonly as: string; readonly types: Readonly<Record<string, string>> }
  /** Nodes lead to the manifest that names their source file. */
  readonly embedsManifest?: true
  /** Arguments beside those of paging: the filter that each one is. */
  readonly arguments: Readonly<Record<string, { readonly filter: string; readonly required?: true }>>
}

/** One declared table and everything that follows from it. */
export interface Resource {
  readonly name: string
  readonly doc: string
  readonly columns: Readonly<Record<string, Column>>
  /** A total order: no two rows compare equal. */
  readonly order: readonly OrderStep[]
  readonly partition: { readonly by: 'month'; readonly of: string } | null
  /** Commits carry the count and the sum of every amount column for each value of these columns. */
  readonly tally?: readonly ['end_period', 'reward_type']
  /** Top-level members of a REST record, apart from the variant object. */
  readonly record?: Members
  readonly variants?: Variants
  readonly filters?: Readonly<Record<string, Filter>>
  readonly totals?: Readonly<Record<string, Member>>
  readonly rest?: RestFace
  readonly graphql?: GraphqlFace
}

export type RowOf<R extends Resource> = {
  readonly [C in keyof R['columns']]: R['columns'][C] extends Column<infer K, infer Nullable>
    ? ValueOf[K] | (Nullable extends true ? null : never)
    : never
}

/** A flat stored row of any resource. */
export type Row = Readonly<Record<string, Value>>

export function defineResource<const R extends Resource>(resource: R): R {
  return Object.freeze(resource)
}

/** Members that are columns of the same name. */
export function same<const Names extends readonly string[]>(...names: Names): { [N in Names[number]]: N } {
  return Object.fromEntries(names.map((name) => [name, name])) as { [N in Names[number]]: N }
}

/** Each amount followed by its `formatted_…` twin. */
export function withFormatted(...names: readonly string[]): Members {
  return Object.fromEntries(
    names.flatMap((name): [string, Member][] => [
      [name, name],
      [`formatted_${name}`, { derive: 'formatted', of: name }],
    ]),
  )
}

/** Columns of a resource whose kind is `amount`, in declared order. */
export function amountColumns(resource: Resource): readonly string[] {
  return Object.keys(resource.columns).filter((name) => resource.columns[name]?.kind === 'amount')
}
