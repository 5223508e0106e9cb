import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Kind } from '../../../src/catalog/column.ts'
import {
  type FlatColumn,
  type FlatType,
  flatColumns,
  isReward,
} from '../../../src/catalog/records/flat-columns.ts'
import { resources } from '../../../src/catalog/resources.ts'

type Measured = 'integer' | 'decimal' | 'text' | 'instant' | 'boolean' | 'binary' | 'texts'

const measured: Readonly<Record<Kind, Measured>> = {
  ...{ text: 'text', choice: 'text', uuid: 'text', json: 'text', object: 'text' },
  ...{ long: 'integer', whole: 'integer', integer: 'integer', seconds: 'integer', cell: 'integer' },
  ...{ amount: 'decimal', decimal: 'decimal', instant: 'instant' },
  ...{ boolean: 'boolean', bytes: 'binary', texts: 'texts' },
}

/** A table to measure, with the version to look back to. */
export interface MeasuredTable {
  readonly path: string
  readonly columns: Readonly<Record<string, Measured>>
  readonly partition: string | null
  readonly older: number | null
}

const isOwn = ({ from }: FlatColumn) => from.as === 'column' || from.as === 'partition'

/** The tables of a lake, with the middle one of their versions if they have several. */
export function tablesOf(
  lake: string,
  versions: Readonly<Record<string, number>>,
): Record<string, MeasuredTable> {
  const own = resources.filter(({ name }) => versions[name] !== undefined)
  return Object.fromEntries(
    own.map((resource) => {
      const newest = versions[resource.name] ?? 0
      const columns = flatColumns(resource).filter(isOwn)
      return [
        resource.name,
        {
          path: join(lake, resource.name),
          columns: Object.fromEntries(columns.map(({ name, type }) => [name, measured[type as Kind]])),
          partition: resource.partition?.by ?? null,
          older: newest === 0 ? null : Math.floor(newest / 2),
        },
      ]
    }),
  )
}

/** The columns of all views that are written, with how they are made text. */
export function viewColumns(): Record<string, Record<string, FlatType | Measured>> {
  const kindOf = ({ name, type }: FlatColumn) => [name, measured[type as Kind] ?? type] as const
  const tables = resources.map((resource) => [resource.name, flatColumns(resource).filter(isOwn)] as const)
  const rewards = resources
    .filter(isReward)
    .map((resource) => [resource.name.replace('_shares', 's'), flatColumns(resource)] as const)
  return Object.fromEntries(
    [...tables, ...rewards].map(([name, columns]) => [name, Object.fromEntries(columns.map(kindOf))]),
  )
}

/** The version of DuckDB that the program brings along. */
export function embeddedVersion(): string {
  const { dependencies } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  return dependencies['@duckdb/node-bindings'].replace(/-.*$/, '')
}
