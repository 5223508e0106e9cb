import { unlessDamaged } from '../../base/errors.ts'
import { DAY_MICROS } from '../../base/values/epoch-day.ts'
import { writeInstant } from '../../base/values/instant.ts'
import { rejects } from '../../catalog/lake/rejects.ts'
import { resources } from '../../catalog/resources.ts'
import { countOpen, openRejectsOf } from './open-rejects.ts'
import type { Snapshot, TableSnapshot } from './snapshot.ts'

/** Content of a table, from the log alone. Bytes are those of its live data files. */
export interface TableStatus {
  readonly table: string
  readonly version: number
  readonly rows: number
  readonly files: number
  readonly bytes: number
  readonly sources: number
  readonly refused: number
  /** First and last period; null for a table without periods. */
  readonly firstPeriod: string | null
  readonly lastPeriod: string | null
  /** Days between them on which no period ends, as ranges: `2025-01-03` or `2025-01-03 to 2025-01-09`. */
  readonly missingDays: readonly string[]
}

export interface LakeStatus {
  readonly snapshot: string
  readonly tables: readonly TableStatus[]
  /** Tables with a damaged log or damaged facts, which have no status; absent when there are none. */
  readonly unreadable?: readonly { readonly table: string; readonly problem: string }[]
}

export function lakeStatus(snapshot: Snapshot): LakeStatus {
  const present = resources
    .filter(({ name }) => !snapshot.unreadable.has(name))
    .map((resource) => snapshot.table(resource))
    .filter((table) => table.version >= 0)
  const unreadable = [...snapshot.unreadable].map(([table, { message: problem }]) => ({ table, problem }))
  const tables = present.flatMap((table): readonly TableStatus[] => {
    const note = ({ message: problem }: Error) => unreadable.push({ table: table.resource.name, problem })
    return unlessDamaged(() => [tableStatus(table, snapshot)], note) ?? []
  })
  return { snapshot: snapshot.id, tables, ...(unreadable.length > 0 && { unreadable }) }
}

function tableStatus(table: TableSnapshot, snapshot: Snapshot): TableStatus {
  const periods = table.resource.statistics === undefined ? [] : table.statistics.periods
  const [first] = periods
  const last = periods.at(-1)
  return {
    table: table.resource.name,
    version: table.version,
    rows: table.resource === rejects ? countOpen(openRejectsOf(snapshot)) : table.rows,
    files: table.files.length,
    bytes: table.files.reduce((sum, file) => sum + file.bytes, 0),
    sources: table.sources.size,
    refused: [...table.sources.values()].reduce((sum, source) => sum + source.refused, 0),
    firstPeriod: first === undefined ? null : writeInstant(first),
    lastPeriod: last === undefined ? null : writeInstant(last),
    missingDays: missingDays(periods),
  }
}

/** Returns the first and last block of a table, from the log alone; undefined when it does not say. */
export function blockRangeOf({ files }: TableSnapshot): readonly [first: bigint, last: bigint] | undefined {
  const chunks = files.flatMap((file) => file.chunks).filter(({ rows }) => rows > 0)
  const bounds = chunks.map((chunk) => chunk.bounds.block)
  let range: readonly [bigint, bigint] | undefined
  for (const [least, most] of bounds.map((pair) => pair ?? [])) {
    if (typeof least !== 'bigint' || typeof most !== 'bigint') return undefined
    range = range === undefined ? [least, most] : [minOf(least, range[0]), maxOf(most, range[1])]
  }
  return range
}

const minOf = (a: bigint, b: bigint) => (a < b ? a : b)
const maxOf = (a: bigint, b: bigint) => (a > b ? a : b)

function missingDays(periods: readonly bigint[]): readonly string[] {
  const days = [...new Set(periods.map((period) => period / DAY_MICROS))]
  const name = (day: bigint) => writeInstant(day * DAY_MICROS).slice(0, 10)
  return days.flatMap((day, index) => {
    const next = days[index + 1]
    if (next === undefined || next === day + 1n) return []
    return [next === day + 2n ? name(day + 1n) : `${name(day + 1n)} to ${name(next - 1n)}`]
  })
}
