import type { Column, Value, ValueOf } from './column.ts'
import type { Feature } from './feature.ts'
import type { Members, RecordMembers } from './members.ts'
import type { SearchFace } from './search-face.ts'
import type { Grouping } from './series.ts'

/** One step of an order. Text is ordered by bytes; nulls come first. */
export interface OrderStep<Name extends string = string> {
  readonly column: Name
  readonly descending?: true
}

/** Rows of one partition lie in files of their own; it is named after the value of the column `of`. */
interface Partition<Name extends string> {
  readonly by: 'month' | 'block_range'
  readonly of: Name
}

/**
 * A query parameter: which column it is compared with, and how. Both ends of a range are included.
 * anyOf: the list has one of the values given. within: the cell lies in the H3 cell given.
 * named: the name is the one given, or that as a ledger writes it: brave-blue-heron or Brave Blue Heron.
 */
export interface Filter<Name extends string = string> {
  readonly column: Name
  readonly match: 'equals' | 'atLeast' | 'atMost' | 'anyOf' | 'within' | 'named'
  readonly required?: true
  /** Whether no value has a comma, so that several values in one are a mistake. */
  readonly isOne?: true
  /** For a column of H3 cells in hexadecimal digits: their resolution. */
  readonly resolution?: bigint
  /** For a column of few values: those that are documented. Which ones there are is told by its rows. */
  readonly names?: readonly string[]
  /** Other names of these values. */
  readonly synonyms?: Readonly<Record<string, string>>
  readonly doc: string
}

/** Records of another table that a record embeds: the manifest that names its source file, or its maker. */
export type Embedding = 'manifest' | 'maker'

/** The variants of a nested object; the value of column `on` chooses. */
interface Variants<Name extends string, Case extends string> {
  readonly on: Name
  readonly as: string
  readonly cases: Readonly<Record<Case, Members<Name>>>
  /** Columns that a row may lack although its case has them; any of them unless this is given. */
  readonly mayLack?: readonly Name[]
}

/** Sums of what was paid, by day, week or month. */
interface SeriesFace<Name extends string = string> {
  /** Such as `get-iot-reward-series`. */
  readonly operation: string
  /** Below the path of the resource. */
  readonly path: string
  /** The sums of a row: amounts in the token of the row, and offloaded bytes. */
  readonly sums: Members<Name>
  /** The column that each group follows from. Where it is the `keyed` one, owners and makers are those of the hotspot. */
  readonly groupBy: Readonly<Partial<Record<Grouping, Name>>>
  /** Where a period starts; without it the time of a row is its whole period. */
  readonly start?: Name
}

/** What a REST caller may ask of a resource. */
export interface RestFace<Name extends string = string> {
  readonly path: string
  readonly envelope: 'objects' | 'records'
  readonly list: string
  readonly totals?: string
  readonly find?: Lookup<Name>
  readonly summary: string
  /** Features that a key needs for all its operations. */
  readonly needs?: readonly Feature[]
  /** Features that a key needs for totals besides. */
  readonly totalsNeed?: readonly Feature[]
  readonly hosted?: HostedSums
}

/** Sums that only clients of the hosted service are answered: by day, and by service provider. */
interface HostedSums {
  readonly daily: string
  readonly providers: string
  /** Names of the totals that each provider has. */
  readonly providerTotals: readonly string[]
}

/** The lookup of one record by its id, or by the value of one of the columns `by`. */
interface Lookup<Name extends string = string> {
  readonly operation: string
  readonly by: readonly Name[]
  /** What the error says is not found. */
  readonly thing: string
}

/**
 * Files that bring rows of a table: messages of oracles, CSV of the ledger archive, or records as the REST interface
 * writes them.
 */
export type Arrival<Name extends string = string> =
  | {
      readonly as: 'messages'
      /** What such files are called on the command line and in the sources of a table. */
      readonly kind: string
      /** Names of such files up to their time. Source: the oracles' public bucket. */
      readonly prefixes: readonly string[]
      /** The same of older files that are not read, and why. */
      readonly unreadable?: Readonly<Record<string, string>>
    }
  | {
      readonly as: 'csv'
      /** Folder of the archive. */
      readonly folder: string
      /** Cells of a line in their order: their name in a header, and the column that each one fills. */
      readonly cells: Readonly<Record<string, Name>>
    }
  | {
      readonly as: 'records'
      /** Start of the names of such files. */
      readonly name: string
    }

/**
 * The columns by which commits count and sum the rows of a table: an instant and a text, by which, and then by source, the
 * table is ordered.
 */
export interface GroupColumns<Name extends string = string> {
  readonly period: Name
  readonly type: Name
}

/** How filters find rows without reading the whole table. */
export interface Access<Name extends string = string> {
  /** Columns whose least and most value the log has for every chunk of rows. */
  readonly bounds: readonly Name[]
  /** Columns of few values; the log has the number of rows with each of them for every chunk. */
  readonly counts: readonly Name[]
  /** Columns by which the table is kept once more, sorted by them first. */
  readonly copies: readonly Name[]
  /** Columns whose values are kept with the values of the leading column of the order that they occur with. */
  readonly pointers: readonly Name[]
  /** Rows of a chunk, a multiple of 2048; the default is for narrow rows. */
  readonly chunkRows?: number
}

/** What a GraphQL caller may ask of a resource. Names are those of the columns; GraphQL has them in camelCase. */
export interface GraphqlFace<Name extends string = string, FilterName extends string = string> {
  /** Field of the query type. */
  readonly query: string
  /** Type of a node. */
  readonly node: string
  /** Id under which the list is asked with GET alone. */
  readonly persisted?: string
  /** Fields of a node beside `id`. */
  readonly fields: Members<Name>
  /** Fields of a node with fields of their own. */
  readonly nested?: Readonly<Record<string, Members<Name>>>
  /** Fields that no file fills, and what they would say. */
  readonly unfilled?: Readonly<Record<string, string>>
  /** The variant object: its name, and what stands before and behind a case in the name of its type. */
  readonly detail?: { readonly as: string; readonly before: string; readonly behind: string }
  /** Arguments beside those of paging: the filter that each one is. */
  readonly arguments: Readonly<Record<string, { readonly filter: FilterName; readonly required?: true }>>
}

/**
 * One declared table and everything that follows from it. Walks over tables know no names; a declaration knows those of
 * its columns, its filters and its variants.
 */
export interface Resource<
  Name extends string = string,
  FilterName extends string = string,
  Case extends string = string,
> {
  readonly name: string
  readonly doc: string
  readonly columns: Readonly<Record<string, Column>>
  /** A total order: no two rows compare equal. */
  readonly order: readonly OrderStep<Name>[]
  readonly partition: Partition<Name> | null
  /** Commits carry the count and the sum of every amount column for each period and type. */
  readonly statistics?: GroupColumns<Name>
  /** Natural key of a row: ids follow from its leading characters, unless there is a column `id`. */
  readonly key?: Name
  /** A state table holds the newest row of each key; other tables hold every row that came. */
  readonly holds?: 'state'
  readonly arrival?: Arrival<Name>
  readonly access?: Access<Name>
  /** The column by whose values the index by hotspot keeps the rows once more, for lists and totals of one of them. */
  readonly keyed?: Name
  /** Every day of the ledger has rows of it, so a day without any is missing. */
  readonly daily?: true
  /** Members of a REST record, apart from what it embeds and the variant object. */
  readonly record?: RecordMembers<Name>
  /** Members that hold a record of another table. */
  readonly embeds?: Readonly<Record<string, Embedding>>
  readonly variants?: Variants<Name, Case>
  readonly filters?: Readonly<Record<FilterName, Filter<Name>>>
  /** The filter that a key's look-back window narrows. */
  readonly lookback?: FilterName
  readonly totals?: Members<Name>
  /** What a hotspot was paid is the sum of these. */
  readonly earned?: readonly Name[]
  readonly series?: SeriesFace<Name>
  readonly rest?: RestFace<Name>
  readonly graphql?: GraphqlFace<Name, FilterName>
  readonly search?: readonly SearchFace<Name, FilterName>[]
}

export type RowOf<R extends Resource> = {
  readonly [C in keyof R['columns']]: R['columns'][C] extends Column<infer K, infer Nullable>
    ? ValueOf[K] | (Nullable extends true ? null : never)
    : never
}

/** The names of the variants of a resource. */
export type CaseOf<R extends Resource> = keyof NonNullable<R['variants']>['cases'] & string

/** The names of the columns of a resource. */
export type ColumnOf<R extends Resource> = keyof R['columns'] & string

/** A flat stored row of any resource. */
export type Row = Readonly<Record<string, Value>>

/** Rows of a resource that were read with all its columns, as its declaration types them. */
export function rowsOf<R extends Resource>(_resource: R, rows: readonly Row[]): readonly RowOf<R>[] {
  return rows as readonly RowOf<R>[]
}

type Columns = Resource['columns']

/** The values of the choice that variants are named after. */
type ChoiceOf<C extends Columns, On> = On extends keyof C
  ? C[On] extends { readonly choices: readonly (infer Choice extends string)[] }
    ? Choice
    : never
  : never

/** Declares a table. A name that is not one of its columns, filters or choices does not compile. */
export function defineResource<
  const C extends Columns,
  const Filters extends string = never,
  const On extends keyof C & string = never,
  const R extends Resource<keyof C & string, Filters, ChoiceOf<C, On>> = never,
>(
  resource: R & {
    readonly columns: C
    readonly filters?: Readonly<Record<Filters, unknown>>
    readonly variants?: { readonly on: On }
  } & { readonly [Unknown in Exclude<keyof R, keyof Resource>]: never },
): R {
  return Object.freeze(resource)
}

/** Names in the order in which they are declared; there is at least one. */
export function namesOf<Name extends string>(
  declared: Readonly<Record<Name, unknown>>,
): readonly [Name, ...Name[]] {
  return Object.keys(declared) as [Name, ...Name[]]
}

/** Why files of a table whose names begin so are not read; undefined for other files. */
export function unreadableReason({ arrival }: Resource, prefix: string): string | undefined {
  const { unreadable = {} } = arrival?.as === 'messages' ? arrival : {}
  return Object.hasOwn(unreadable, prefix) ? unreadable[prefix] : undefined
}

/** The columns of the groups of a table that has statistics. Errors: Error for another table. */
export function groupedBy({ name, statistics }: Resource): GroupColumns {
  if (statistics === undefined) throw new Error(`commits carry no statistics of ${name}`)
  return statistics
}

/** Columns of a resource whose kind is `amount`, in declared order. */
export function amountColumns(resource: Resource): readonly string[] {
  return Object.keys(resource.columns).filter((name) => resource.columns[name]?.kind === 'amount')
}
