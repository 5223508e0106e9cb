import { readInstant } from '../../base/values/instant.ts'
import { type AddAction, isMembers } from '../../lake/log/log-actions.ts'
import type { Logged } from '../../lake/snapshot/snapshot.ts'

type Members = Readonly<Record<string, unknown>>

/** Kinds of values that compare exactly: text by bytes, integers, instants in microseconds. */
export type Comparable = 'text' | 'whole' | 'instant'

/** Bounds of the values of a column in a file. */
interface ValueBounds {
  readonly kind: Comparable
  /** Type in the schema. */
  readonly type: string
  readonly least: string | bigint
  readonly most: string | bigint
}

/** Statistics of a file in the log. */
export interface LoggedFile {
  /** Undefined if the log has no count. */
  readonly rows: number | undefined
  /** Returns undefined without statistics. Letter case of the name does not matter. */
  boundsOf(column: string): ValueBounds | undefined
}

/** Matches strings so that numbers inside them stay; other numbers get quotes, so that none is rounded. */
const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Parses statistics with numbers as text. */
function readStats(stats: string | undefined): Members {
  try {
    const exact = (stats ?? '{}').replace(TEXT_OR_NUMBER, (part) =>
      part.startsWith('"') ? part : `"${part}"`,
    )
    return membersOf(JSON.parse(exact))
  } catch {
    return {}
  }
}

/** Reads the statistics of a file. Another program may have written them in any form; unreadable ones count as absent. */
export function loggedFile(columns: Logged['columns'], { stats, partitionValues }: AddAction): LoggedFile {
  const statistics = readStats(stats)
  const [minValues, maxValues] = [membersOf(statistics.minValues), membersOf(statistics.maxValues)]
  return {
    rows: countIn(statistics.numRecords),
    boundsOf(name) {
      const column = columns.has(name) ? name : name.toLowerCase()
      const type = typeIn(columns.get(column)?.type)
      const kind = kindOf(type)
      if (kind === undefined) return undefined
      const inPartition = partitionValues[column]
      if (inPartition === undefined) return boundsIn(kind, type, minValues[column], maxValues[column])
      // An empty value is null.
      if (kind !== 'text' || inPartition === '') return undefined
      return { kind, type, least: inPartition, most: inPartition }
    },
  }
}

const membersOf = (value: unknown): Members => (isMembers(value) ? value : {})

function countIn(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}

/** Returns the name of a type; empty for nested types. */
function typeIn(type: string | undefined): string {
  return /^"([^"]*)"$/.exec(type ?? '')?.[1] ?? ''
}

function kindOf(type: string): Comparable | undefined {
  if (type === 'string') return 'text'
  if (type === 'timestamp') return 'instant'
  return /^(integer|long|decimal\(\d+,0\))$/.test(type) ? 'whole' : undefined
}

function boundsIn(kind: Comparable, type: string, min: unknown, max: unknown): ValueBounds | undefined {
  const [least, most] = [readBound(kind, min), readBound(kind, max)]
  if (least === undefined || most === undefined) return undefined
  return { kind, type, least, most }
}

function readBound(kind: Comparable, value: unknown): string | bigint | undefined {
  if (typeof value !== 'string') return undefined
  if (kind === 'text') return value
  if (kind === 'instant') return readInstant(value)
  return /^-?\d{1,38}$/.test(value) ? BigInt(value) : undefined
}
