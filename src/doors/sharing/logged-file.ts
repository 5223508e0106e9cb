import { readInstant } from '../../base/values/instant.ts'
import { type AddAction, isObject } from '../../lake/log/log-actions.ts'
import type { Logged } from '../../lake/snapshot/snapshot.ts'
import type { Comparable, KnownValues, PredicateFile } from './hints/predicate.ts'

type Members = Readonly<Record<string, unknown>>

/** What the log says of a file, for predicates and limits. */
export interface LoggedFile extends PredicateFile {
  /** Undefined where the log does not say. */
  readonly rows: number | undefined
}

/** Texts, or a number beside a member: only numbers outside of texts are put into quotes, so that none is rounded. */
const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** The statistics of a file with their numbers as text. */
function readStats(stats: string | undefined): Members {
  try {
    const exact = (stats ?? '{}').replace(TEXT_OR_NUMBER, (part) =>
      part.startsWith('"') ? part : `"${part}"`,
    )
    const read: unknown = JSON.parse(exact)
    return isObject(read) ? read : {}
  } catch {
    return {}
  }
}

/** Another program may have written the statistics in any form: what is not understood is not known. */
export function loggedFile(columns: Logged['columns'], { stats, partitionValues }: AddAction): LoggedFile {
  const read = readStats(stats)
  const [minValues, maxValues, nullCount] = [read.minValues, read.maxValues, read.nullCount].map((own) =>
    isObject(own) ? own : {},
  ) as [Members, Members, Members]
  const rows = countIn(read.numRecords)
  const nameOf = (column: string) => (columns.has(column) ? column : column.toLowerCase())
  return {
    rows,
    valuesOf(given) {
      const column = nameOf(given)
      const type = typeIn(columns.get(column)?.type)
      const kind = kindOf(type)
      if (kind === undefined) return undefined
      const inPartition = partitionValues[column]
      if (inPartition !== undefined)
        return kind === 'text' && inPartition !== ''
          ? { kind, type, least: inPartition, most: inPartition, isExact: true }
          : undefined
      return boundsOf(kind, type, minValues[column], maxValues[column])
    },
    nullsOf(given) {
      const column = nameOf(given)
      const inPartition = partitionValues[column]
      if (inPartition !== undefined) return { some: inPartition === '', all: inPartition === '' }
      const nulls = countIn(nullCount[column])
      if (nulls === undefined) return { some: true, all: false }
      return { some: nulls > 0, all: nulls === rows }
    },
  }
}

function countIn(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}

/** The name of a type; types with parts have none. */
function typeIn(type: string | undefined): string {
  return /^"([^"]*)"$/.exec(type ?? '')?.[1] ?? ''
}

function kindOf(type: string): Comparable | undefined {
  if (type === 'string') return 'text'
  if (type === 'timestamp') return 'instant'
  return /^(integer|long|decimal\(\d+,0\))$/.test(type) ? 'whole' : undefined
}

function boundsOf(kind: Comparable, type: string, min: unknown, max: unknown): KnownValues | undefined {
  const [least, most] = [readBound(kind, min), readBound(kind, max)]
  if (least === undefined || most === undefined) return undefined
  // Long texts are cut, and instants to milliseconds.
  return { kind, type, least, most, isExact: kind === 'whole' }
}

function readBound(kind: Comparable, value: unknown): string | bigint | undefined {
  if (typeof value !== 'string') return undefined
  if (kind === 'text') return value
  if (kind === 'instant') return readInstant(value)
  return /^-?\d{1,38}$/.test(value) ? BigInt(value) : undefined
}
