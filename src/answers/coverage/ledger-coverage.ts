import { DAY_MICROS, dateOf, dayOf } from '../../base/values/epoch-day.ts'
import { bigintOf } from '../../catalog/column.ts'
import { between } from '../../catalog/query/plan.ts'
import { LEDGER_TOKEN } from '../../catalog/records/series-record.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Snapshot, TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import {
  type Coverage,
  type EndsOfPeriods,
  type Missing,
  type RangeCoverage,
  runsOf,
  writeEnds,
} from './coverage.ts'

const SECONDS = 1_000_000n
const DAY_SECONDS = DAY_MICROS / SECONDS

/** First and last day of the ledger. Source: documentation of the network. */
const LIFE = { first: Date.UTC(2019, 6, 29) / 86_400_000, last: Date.UTC(2023, 3, 18) / 86_400_000 }

/** Days of a ledger table by its log, counted from 1970-01-01, UTC. */
interface LoggedDays {
  /** Days on which a chunk of rows begins or ends. */
  readonly present: ReadonlySet<number>
  /** First and last day inside a chunk, for which the rows must be read; undefined if there is none. */
  readonly uncertain: { readonly first: number; readonly last: number } | undefined
}

/** Returns undefined if the log lacks the times of some rows. */
export function loggedDays({ resource, files }: TableSnapshot): LoggedDays | undefined {
  const time = resource.partition?.of ?? ''
  const spans: (readonly [first: number, last: number])[] = []
  for (const { chunks, rows } of files) {
    if (chunks.length === 0 && rows > 0) return undefined
    for (const { bounds } of chunks) {
      const [least, most] = bounds[time] ?? []
      if (typeof least !== 'bigint' || typeof most !== 'bigint') return undefined
      spans.push([dayOf(least * SECONDS), dayOf(most * SECONDS)])
    }
  }
  const present = new Set(spans.flat())
  const insideChunks = new Set<number>()
  for (const [first, last] of spans)
    for (let day = first + 1; day < last; day += 1) if (!present.has(day)) insideChunks.add(day)
  const days = [...insideChunks].sort((a, b) => a - b)
  const [first] = days
  const last = days.at(-1)
  return { present, uncertain: first === undefined || last === undefined ? undefined : { first, last } }
}

/** Returns the days with rows. Days that the log does not list take one statement over the time column. */
export async function readDays(
  engine: Engine,
  table: TableSnapshot,
  { present, uncertain }: LoggedDays,
  at: Snapshot,
  signal?: AbortSignal,
): Promise<ReadonlySet<number>> {
  if (uncertain === undefined) return present
  const { resource } = table
  const time = resource.partition?.of ?? ''
  const starts = Array.from(
    { length: uncertain.last - uncertain.first + 1 },
    (_, index) => BigInt(uncertain.first + index) * DAY_SECONDS,
  )
  const groups = await engine.sums(
    {
      resource,
      where: between(
        time,
        BigInt(uncertain.first) * DAY_SECONDS,
        BigInt(uncertain.last + 1) * DAY_SECONDS - 1n,
      ),
      ...{ sums: {}, prices: new Map(), groupBy: [], steps: { of: time, starts } },
    },
    at,
    signal,
  )
  return new Set([...present, ...groups.map(({ group }) => dayOf(bigintOf(group.step) * SECONDS))])
}

/** Days of a ledger table. Without manifests a day is known to have rows, not to have all of them. */
export class LedgerCoverage implements RangeCoverage {
  readonly #present: ReadonlySet<number>
  readonly extent: EndsOfPeriods | undefined

  constructor(present: ReadonlySet<number>) {
    this.#present = present
    const days = [...present].sort((a, b) => a - b)
    const [first] = days
    const last = days.at(-1)
    this.extent =
      first === undefined || last === undefined
        ? undefined
        : { from: BigInt(first) * DAY_MICROS, to: BigInt(last + 1) * DAY_MICROS - SECONDS }
  }

  get newest(): bigint | undefined {
    return this.extent?.to
  }

  missing(range: EndsOfPeriods): Missing {
    return { days: this.#absent(range).length, manifests: 0 }
  }

  over(range: EndsOfPeriods): Coverage {
    const expected = this.#expected(range)
    const absent = this.#absent(range)
    return {
      ...writeEnds(range),
      epochs: {
        ...{ expected: expected.length, present: expected.length - absent.length },
        newest: this.extent === undefined ? null : dateOf(dayOf(this.extent.to)),
        ...{ missing: runsOf(absent), incomplete: null, late: null, unreadable: null },
      },
      ...{ manifests: null, files: null, tokens: [LEDGER_TOKEN], mixes_tokens: false },
    }
  }

  /** Days of the range within the life of the ledger, or of the table if that is longer. */
  #expected({ from, to }: EndsOfPeriods): readonly number[] {
    const { extent } = this
    const first = Math.max(dayOf(from), Math.min(LIFE.first, extent ? dayOf(extent.from) : LIFE.first))
    const last = Math.min(dayOf(to), Math.max(LIFE.last, extent ? dayOf(extent.to) : LIFE.last))
    return Array.from({ length: Math.max(0, last + 1 - first) }, (_, index) => first + index)
  }

  #absent(range: EndsOfPeriods): readonly number[] {
    return this.#expected(range).filter((day) => !this.#present.has(day))
  }
}
