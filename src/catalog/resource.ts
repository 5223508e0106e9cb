import type { Column, Value, ValueOf } from './column.ts'
import type { Feature } from './feature.ts'

/** One step of an order. Text is ordered by bytes; nulls come first. */
export interface OrderStep {
  readonly column: string
  readonly descending?: true
}

/** Rows of one partition lie in files of their own; it is named after the value of the column `of`. */
interface Partition {
  readonly by: 'month' | 'block_range'
  readonly of: string
}

/**
 * A query parameter: which column it is compared with, and how. Both ends of a range are included.
 * anyOf: the list has one of the values given. within: the cell lies in the H3 cell given.
 */
export interface Filter {
  readonly column: string
  readonly match: 'equals' | 'atLeast' | 'atMost' | 'anyOf' | 'within'
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

/** Members that stand in an object of their own. */
export interface Nested {
  readonly members: Members
}

export type RecordMembers = Readonly<Record<string, Member | Nested>>

/** Records of another table that a record embeds: the manifest that names its source file, or its maker. */
export type Embedding = 'manifest' | 'maker'

/** The variants of a nested object; the value of column `on` chooses. */
interface Variants {
  readonly on: string
  readonly as: string
  readonly cases: Readonly<Record<string, Members>>
  /** Columns that a row may lack although its case has them; any of them unless told. */
  readonly mayLack?: readonly string[]
}

/** What a REST caller may ask of a resource. */
export interface RestFace {
  readonly path: string
  readonly envelope: 'objects' | 'records'
  readonly list: string
  readonly totals?: string
  readonly find?: Lookup
  readonly summary: string
  /** Features that a key needs for all its operations. */
  readonly needs?: readonly Feature[]
  /** Features that a key needs for totals besides. */
  readonly totalsNeed?: readonly Feature[]
}

/** The lookup of one record by its id, or by the value of one of the columns `by`. */
export interface Lookup {
  readonly operation: string
  readonly by: readonly string[]
  /** What the caller is told is not found. */
  readonly thing: string
}

/** Files that bring rows of a table: CSV of the ledger archive, or records as the REST interface writes them. */
export type Arrival =
  | {
      readonly as: 'csv'
      /** Folder of the archive. */
      readonly folder: string
      /** Cells of a line in their order: their name in a header, and the column that each one fills. */
      readonly cells: Readonly<Record<string, string>>
    }
  | {
      readonly as: 'records'
      /** Start of the names of such files. */
      readonly name: string
    }

/** How filters find rows without reading the whole table. */
export interface Access {
  /** Columns of which every chunk of rows tells its least and most value. */
  readonly bounds: readonly string[]
  /** Columns of few values; every chunk tells how many rows have each. */
  readonly counts: readonly string[]
  /** Columns by which the table is kept once more, sorted by them first. */
  readonly copies: readonly string[]
  /** Columns whose values are kept with the values of the leading column of the order that they occur with. */
  readonly pointers: readonly string[]
  /** Rows of a chunk, a multiple of 2048; the default is for narrow rows. */
  readonly chunkRows?: number
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
  readonly partition: Partition | null
  /** Commits carry the count and the sum of every amount column for each value of these columns. */
  readonly tally?: readonly ['end_period', 'reward_type']
  /** Natural key of a row: ids follow from its leading characters, unless there is a column `id`. */
  readonly key?: string
  /** A state table holds the newest row of each key; other tables hold every row that came. */
  readonly holds?: 'state'
  readonly arrival?: Arrival
  readonly access?: Access
  /** The column by whose values the hotspot index keeps the rows once more, for lists and totals of one of them. */
  readonly keyed?: string
  /** Members of a REST record, apart from what it embeds and the variant object. */
  readonly record?: RecordMembers
  /** Members that hold a record of another table. */
  readonly embeds?: Readonly<Record<string, Embedding>>
  readonly variants?: Variants
  readonly filters?: Readonly<Record<string, Filter>>
  /** The filter that a key's look-back window narrows. */
  readonly lookback?: string
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
