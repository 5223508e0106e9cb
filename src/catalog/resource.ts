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

/** Partitioning of a table by the month or block range of the column `of`. Each partition has files of its own. */
interface Partition<Name extends string> {
  readonly by: 'month' | 'block_range'
  readonly of: Name
}

/**
 * A query parameter that compares a column. Ends of ranges are included. anyOf: the list has one of the values. within:
 * the cell is inside the given H3 cell. named: the name equals the given one in either ledger's spelling:
 * brave-blue-heron or Brave Blue Heron.
 */
export interface Filter<Name extends string = string> {
  readonly column: Name
  readonly match: 'equals' | 'atLeast' | 'atMost' | 'anyOf' | 'within' | 'named'
  readonly required?: true
  /** Refuses commas: no value has one, so the client sent several values. */
  readonly isOne?: true
  /** Resolution of a column of H3 cells in hexadecimal digits. */
  readonly resolution?: bigint
  /** Documented values of a column of few values; rows may have others. */
  readonly names?: readonly string[]
  /** Other names of these values. */
  readonly synonyms?: Readonly<Record<string, string>>
  readonly doc: string
}

/** A record of another table that a record embeds: the manifest of its source file, or its maker. */
export type Embedding = 'manifest' | 'maker'

/** Variants of a nested object; column `on` selects one. */
interface Variants<Name extends string, Case extends string> {
  readonly on: Name
  readonly as: string
  readonly cases: Readonly<Record<Case, Members<Name>>>
  /** Columns of a case that may be null; all unless given. */
  readonly mayLack?: readonly Name[]
}

/** Declares the series of a resource. */
interface SeriesFace<Name extends string = string> {
  /** Such as `get-iot-reward-series`. */
  readonly operation: string
  /** Below the path of the resource. */
  readonly path: string
  /** Sums of a row: amounts in the token of the row, and offloaded bytes. */
  readonly sums: Members<Name>
  /** Column of each group. If it is the `keyed` column, owners and makers are those of the hotspot. */
  readonly groupBy: Readonly<Partial<Record<Grouping, Name>>>
  /** Column of the start of a period; without it a row has one time. */
  readonly start?: Name
}

/** Declares the REST operations of a resource. */
export interface RestFace<Name extends string = string> {
  readonly path: string
  readonly envelope: 'objects' | 'records'
  readonly list: string
  readonly totals?: string
  readonly find?: Lookup<Name>
  readonly summary: string
  /** Features that a key needs for all its operations. */
  readonly needs?: readonly Feature[]
  /** Additional features that a key needs for totals. */
  readonly totalsNeed?: readonly Feature[]
  readonly hosted?: HostedSums
}

/** Operations of sums of the hosted service: by day, and by service provider. */
interface HostedSums {
  readonly daily: string
  readonly providers: string
  /** Totals of each provider. */
  readonly providerTotals: readonly string[]
}

/** Declares the lookup of one record by its id or one of the columns `by`. */
interface Lookup<Name extends string = string> {
  readonly operation: string
  readonly by: readonly Name[]
  /** Name of the record in the error sentence. */
  readonly thing: string
}

/** Files of a table: messages of oracles, CSV of the ledger archive, or JSON records of REST. */
export type Arrival<Name extends string = string> =
  | {
      readonly as: 'messages'
      /** Name of the kind on the command line and in the sources of a table. */
      readonly kind: string
      /** Prefixes of file names. Source: the oracles' public bucket. */
      readonly prefixes: readonly string[]
      /** Prefixes of older files that are not read, with the reason. */
      readonly unreadable?: Readonly<Record<string, string>>
    }
  | {
      readonly as: 'csv'
      /** Folder of the archive. */
      readonly folder: string
      /** Columns by the name of their cell, in the order of cells. */
      readonly cells: Readonly<Record<string, Name>>
    }
  | {
      readonly as: 'records'
      /** Prefix of file names. */
      readonly name: string
    }

/** Columns by which commits count and sum rows: an instant and a text. The table is ordered by them, then by source. */
export interface GroupColumns<Name extends string = string> {
  readonly period: Name
  readonly type: Name
}

/** Statistics and indexes for filters. */
export interface Access<Name extends string = string> {
  /** Columns with least and greatest value per chunk in the log. */
  readonly bounds: readonly Name[]
  /** Columns with counts of each value per chunk in the log. */
  readonly counts: readonly Name[]
  /** Columns that have a sorted index of the whole table. */
  readonly sorted: readonly Name[]
  /** Columns that have an index of pointers to the leading column of the order. */
  readonly pointers: readonly Name[]
  /** Rows of a chunk, a multiple of 2048; the default is for narrow rows. */
  readonly chunkRows?: number
}

/** Declares the GraphQL fields of a resource. Names are those of the columns; GraphQL has them in camelCase. */
export interface GraphqlFace<Name extends string = string, FilterName extends string = string> {
  /** Field of the query type. */
  readonly query: string
  /** Type of a node. */
  readonly node: string
  /** Id of the persisted query of the list. */
  readonly persisted?: string
  /** Fields of a node except `id`. */
  readonly fields: Members<Name>
  /** Fields of a node that have nested fields. */
  readonly nested?: Readonly<Record<string, Members<Name>>>
  /** Fields without data, and their descriptions. */
  readonly unfilled?: Readonly<Record<string, string>>
  /** Variant object: its name, and prefix and suffix of its type names. */
  readonly detail?: { readonly as: string; readonly before: string; readonly behind: string }
  /** Filter of each argument, paging excluded. */
  readonly arguments: Readonly<Record<string, { readonly filter: FilterName; readonly required?: true }>>
}

/**
 * Declares a table and everything derived from it. Generic code uses no names of columns; the compiler checks the names
 * in a declaration.
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
  /** Natural key of a row. Ids derive from its leading characters unless there is a column `id`. */
  readonly key?: Name
  /** A state table holds the newest row of each key; other tables hold every ingested row. */
  readonly holds?: 'state'
  readonly arrival?: Arrival<Name>
  readonly access?: Access<Name>
  /** Column of the index by hotspot, which serves lists and totals of one hotspot. */
  readonly keyed?: Name
  /** Every day of the ledger has rows, so a day without any is missing. */
  readonly daily?: true
  /** Members of a REST record, embedded records and variant excluded. */
  readonly record?: RecordMembers<Name>
  /** Members that hold a record of another table. */
  readonly embeds?: Readonly<Record<string, Embedding>>
  readonly variants?: Variants<Name, Case>
  readonly filters?: Readonly<Record<FilterName, Filter<Name>>>
  /** Filter that the look-back of a key narrows. */
  readonly lookback?: FilterName
  readonly totals?: Members<Name>
  /** Columns whose sum is the pay of a hotspot. */
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

/** Types rows that have all columns of the resource. */
export function rowsOf<R extends Resource>(_resource: R, rows: readonly Row[]): readonly RowOf<R>[] {
  return rows as readonly RowOf<R>[]
}

type Columns = Resource['columns']

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

/** Returns the declared names in order; there is at least one. */
export function namesOf<Name extends string>(
  declared: Readonly<Record<Name, unknown>>,
): readonly [Name, ...Name[]] {
  return Object.keys(declared) as [Name, ...Name[]]
}

/** Returns why files with a prefix are not read; undefined for other files. */
export function unreadableReason({ arrival }: Resource, prefix: string): string | undefined {
  const { unreadable = {} } = arrival?.as === 'messages' ? arrival : {}
  return Object.hasOwn(unreadable, prefix) ? unreadable[prefix] : undefined
}

/** Returns the group columns of a table with statistics. Errors: Error for another table. */
export function groupedBy({ name, statistics }: Resource): GroupColumns {
  if (statistics === undefined) throw new Error(`commits carry no statistics of ${name}`)
  return statistics
}

export function amountColumns(resource: Resource): readonly string[] {
  return Object.keys(resource.columns).filter((name) => resource.columns[name]?.kind === 'amount')
}
