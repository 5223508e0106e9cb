import { integer, text, type Value } from '../../catalog/column.ts'
import type { Resource, Row } from '../../catalog/resource.ts'
import { digestOf } from '../../lake/disk/disk.ts'
import { type GroupKey, groupColumns } from '../../lake/facts/group-series.ts'
import { codecOf, type Token } from '../blocks/column-codecs.ts'
import type { FilePart } from '../blocks/container.ts'
import { type StoredColumn, toStoredColumn } from '../blocks/stored-columns.ts'
import type { PlaneShape } from './plane.ts'

export const KEYS_MAGIC = 'LLKEYS01'

/** A group and the values common to its rows, by column. */
export interface IndexedGroup extends GroupKey {
  readonly common: Row
}

/** Sums by key of one period and type; with a null period, of all periods of a month. */
export interface PlanePart extends FilePart, PlaneShape {
  readonly period: string | null
  readonly month: string
  readonly type: string
}

/** Contents of an index by key. */
export interface KeyFileContents {
  readonly table: string
  /** Descriptions of the columns except key and group: name, kind and choices. */
  readonly columns: readonly string[]
  /** Columns stored in blocks. All rows of a group share the values of the rest. */
  readonly stored: readonly string[]
  /** Columns whose sums are in the planes. */
  readonly summed: readonly string[]
  /** Digest and row count in the table of each source, by name. */
  readonly sources: Readonly<Record<string, string>>
  /** Groups in table order; rows refer to them by index. */
  readonly groups: readonly IndexedGroup[]
  readonly rows: number
  /** Digests of the keys; then the number of the first block of each key. */
  readonly order: FilePart
  readonly firstBlocks: FilePart
  readonly blocks: FilePart
  readonly texts: Readonly<Record<string, FilePart>>
  readonly planes: readonly PlanePart[]
}

/** Returns the columns of an index by key: all except the key and the columns of the group. */
export function keyedColumns(resource: Resource): readonly string[] {
  const shared = groupColumns(resource)
  return Object.keys(resource.columns).filter((name) => name !== resource.keyed && !(name in shared))
}

/** Describes them by name, kind and choices, which determine their storage. */
export function describeKeyed(resource: Resource): readonly string[] {
  return keyedColumns(resource).map((name) => {
    const { kind = '', choices = [] } = resource.columns[name] ?? {}
    return [name, kind, ...choices].join(' ')
  })
}

/** Returns the column name of a description. */
export function nameOfColumn(description: string): string {
  return description.split(' ')[0] ?? ''
}

/** Derives the file name from table, columns and sources. */
export function nameOf({ table, columns, summed, sources }: Omit<KeyFileContents, 'groups'>): string {
  const sorted = Object.entries(sources).sort(([a], [b]) => (a < b ? -1 : 1))
  return `${digestOf(JSON.stringify([table, columns, summed, sorted])).slice(0, 24)}.keys`
}

export function groupText({ period, type, source }: GroupKey): string {
  return `${period} ${type} ${source}`
}

type WrittenGroup = readonly [
  period: string,
  type: string,
  source: string,
  common: readonly (readonly [column: string, text: string | null])[],
]

export function writeContents({ columns }: Resource, { groups, ...contents }: KeyFileContents): string {
  const written = groups.map(({ period, type, source, common }): WrittenGroup => {
    const texts = Object.entries(common).map(([name, value]) => {
      const column = columns[name]
      return [name, value === null || !column ? null : writeToken(codecOf(column).toToken(value))] as const
    })
    return [`${period}`, type, source, texts]
  })
  return JSON.stringify({ ...contents, groups: written })
}

/** Parses what `writeContents` wrote. Errors: Error for any other text. */
export function readContents({ columns }: Resource, text: string): KeyFileContents {
  const { groups, ...contents } = JSON.parse(text) as Omit<KeyFileContents, 'groups'> & {
    readonly groups: readonly WrittenGroup[]
  }
  const readValue = (name: string, token: string | null): Value => {
    const column = columns[name]
    return token === null || column === undefined ? null : codecOf(column).toValue(readToken(token))
  }
  return {
    ...contents,
    groups: groups.map(([period, type, source, common]) => ({
      ...{ period: BigInt(period), type, source },
      common: Object.fromEntries(common.map(([name, token]) => [name, readValue(name, token)])),
    })),
  }
}

/** A quotation mark distinguishes a text from a number. */
const writeToken = (token: Token) => (typeof token === 'string' ? `"${token}` : `${token}`)
const readToken = (text: string): Token => (text.startsWith('"') ? text.slice(1) : BigInt(text))

/** Column with group numbers. No table has a column of this name. */
const GROUP = '#group'

/** Returns the columns of blocks: the group, the key, then the columns with several values in some group. */
export function keyedStoredColumns(resource: Resource, stored: readonly string[]): readonly StoredColumn[] {
  const { keyed = '', columns } = resource
  // Files of another release may have columns that no longer exist; readers skip them.
  const names = [keyed, ...stored].map((name) => toStoredColumn(name, columns[name] ?? text('')))
  return [toStoredColumn(GROUP, integer('Number of the group.')), ...names]
}
