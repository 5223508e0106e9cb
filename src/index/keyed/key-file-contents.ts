import { integer, text, type Value } from '../../catalog/column.ts'
import type { Resource, Row } from '../../catalog/resource.ts'
import { digestOf } from '../../lake/disk/disk.ts'
import { type GroupKey, groupColumns } from '../../lake/facts/group-series.ts'
import { codecOf, type Token } from '../blocks/column-codecs.ts'
import type { FilePart } from '../blocks/container.ts'
import { type StoredColumn, toStoredColumn } from '../blocks/stored-columns.ts'
import type { PlaneShape } from './plane.ts'

export const KEYS_MAGIC = 'LLKEYS01'

/** A group, and by column the values that all its rows share. */
interface IndexedGroup extends GroupKey {
  readonly common: Row
}

/** Sums by key of one period and type, or with a period of null of all periods of a month. */
export interface PlanePart extends FilePart, PlaneShape {
  readonly period: string | null
  readonly month: string
  readonly type: string
}

/** The contents of an index by key, and the sources that it was made of. */
export interface KeyFileContents {
  readonly table: string
  /** The columns of its rows besides their key and group, each with all that decides how it is stored. */
  readonly columns: readonly string[]
  /** Columns in the blocks; the others are the same for all rows of each group. */
  readonly stored: readonly string[]
  /** The columns of amounts that planes are the sums of. */
  readonly summed: readonly string[]
  /** By its name every source that rows come from, with its digest and how many rows it has in the table. */
  readonly sources: Readonly<Record<string, string>>
  /** Groups in the order of the table, by the number that rows name them with. */
  readonly groups: readonly IndexedGroup[]
  readonly rows: number
  /** The digests of the keys, and for each key the number of its first block. */
  readonly order: FilePart
  readonly firstBlocks: FilePart
  readonly blocks: FilePart
  readonly texts: Readonly<Record<string, FilePart>>
  readonly planes: readonly PlanePart[]
}

/** Columns of rows by key: all but those that follow from the key and the group of a row. */
export function keyedColumns(resource: Resource): readonly string[] {
  const shared = groupColumns(resource)
  return Object.keys(resource.columns).filter((name) => name !== resource.keyed && !(name in shared))
}

/** With all that decides how each is stored. */
export function describeKeyed(resource: Resource): readonly string[] {
  return keyedColumns(resource).map((name) => {
    const { kind = '', choices = [] } = resource.columns[name] ?? {}
    return [name, kind, ...choices].join(' ')
  })
}

/** The name of a column that is described so. */
export function nameOfColumn(description: string): string {
  return description.split(' ')[0] ?? ''
}

/** The name of a file follows from what it was made of. */
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

/** Errors: Error for what is not as `writeContents` writes it. */
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

/** A text begins with a quotation mark, a number does not. */
const writeToken = (token: Token) => (typeof token === 'string' ? `"${token}` : `${token}`)
const readToken = (text: string): Token => (text.startsWith('"') ? text.slice(1) : BigInt(text))

/** The column of numbers of groups. No table has a column of this name. */
const GROUP = '#group'

/** The columns that blocks have: the group, the key, then those in which rows of some group differ. */
export function keyedStoredColumns(resource: Resource, stored: readonly string[]): readonly StoredColumn[] {
  const { keyed = '', columns } = resource
  // Files of another release may have columns that there are no more; they are passed over.
  const names = [keyed, ...stored].map((name) => toStoredColumn(name, columns[name] ?? text('')))
  return [toStoredColumn(GROUP, integer('Number of the group.')), ...names]
}
