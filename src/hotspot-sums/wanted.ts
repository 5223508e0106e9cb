import type { Resource } from '../catalog/resource.ts'
import type { DataFile } from '../lake/data-file.ts'
import { digestOf } from '../lake/disk.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import { compareBytes, sourceKey } from '../lake/source.ts'

/** Raised when sums are made in another way, so that those of another release are not used. */
const FORMAT = 1

/** The rows of one period and type. */
export interface WantedColumn {
  readonly period: bigint
  readonly type: string
  /** Names of the sources that have such rows. */
  readonly sources: readonly string[]
  /** Digest of what is summed, and of names, bytes and numbers of rows of these sources. */
  readonly digest: string
  readonly files: readonly DataFile[]
}

/** What the file of one month of a version of a table should hold. */
export interface WantedMonth {
  readonly month: string
  /** By period, then by type. */
  readonly columns: readonly WantedColumn[]
  /** The name of the file that holds just this. */
  readonly name: string
}

/** Whether rows of a type have the key of a hotspot. */
function isKeyed({ variants, keyed = '' }: Resource, type: string): boolean {
  return Object.values(variants?.cases[type] ?? {}).includes(keyed)
}

/** The month that an epoch is the pay of, `YYYY-MM`: a daily one ends when the next day begins. */
function monthOf(period: bigint): string {
  return new Date(Number((period - 1n) / 1000n)).toISOString().slice(0, 7)
}

/** What is said of a table's sums whatever its rows are. */
function describeSums({ name, keyed = '', earned = [] }: Resource): readonly string[] {
  return [`${FORMAT}`, name, keyed, ...earned]
}

export function columnName({ period, type }: Pick<WantedColumn, 'period' | 'type'>): string {
  return `${period} ${type}`
}

interface Gathered {
  readonly period: bigint
  readonly type: string
  readonly sources: Map<string, string>
  readonly names: Set<string>
  readonly files: Set<DataFile>
}

/** One for each month of a table, oldest first. */
export function wantedMonths(table: TableSnapshot): readonly WantedMonth[] {
  const columns = new Map<string, Gathered>()
  for (const file of table.files) {
    for (const source of file.sources) {
      const key = sourceKey(source)
      const { sha256, rows } = table.sources.get(key) ?? source
      const line = `${key} ${sha256} ${rows}`
      for (const { period, type } of source.groups) {
        if (!isKeyed(table.resource, type)) continue
        const name = columnName({ period, type })
        let own = columns.get(name)
        if (own === undefined) {
          own = { period, type, sources: new Map(), names: new Set(), files: new Set() }
          columns.set(name, own)
        }
        own.sources.set(key, line)
        own.names.add(source.name)
        own.files.add(file)
      }
    }
  }
  const months = new Map<string, WantedColumn[]>()
  const summed = describeSums(table.resource).join(' ')
  for (const { period, type, sources, names, files } of columns.values()) {
    const digest = digestOf([summed, ...[...sources.values()].sort()].join('\n')).slice(0, 24)
    const column = { period, type, sources: [...names], digest, files: [...files] }
    const month = monthOf(period)
    months.set(month, [...(months.get(month) ?? []), column])
  }
  return [...months]
    .map(([month, own]) => wantedMonth(month, own))
    .sort((a, b) => compareBytes(a.month, b.month))
}

function wantedMonth(month: string, own: readonly WantedColumn[]): WantedMonth {
  const columns = [...own].sort((a, b) =>
    a.period === b.period ? compareBytes(a.type, b.type) : a.period < b.period ? -1 : 1,
  )
  return { month, columns, name: sumsName(month, columns) }
}

/** The name of the file that has these columns of a month, in this order. */
export function sumsName(
  month: string,
  columns: readonly Pick<WantedColumn, 'period' | 'type' | 'digest'>[],
): string {
  const texts = columns.map((column) => `${columnName(column)} ${column.digest}`)
  return `${month}-${digestOf(JSON.stringify(texts)).slice(0, 24)}.sums`
}
