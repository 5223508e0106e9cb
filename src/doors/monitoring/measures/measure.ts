import type { Coverages } from '../../../answers/coverage/coverages.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { Derived } from '../../../index/maintenance/derived.ts'
import type { ChecksLoad } from '../../../lake/integrity/checks-load.ts'
import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'
import type { SourceStatus } from '../../../operate/sync/source-status.ts'

/** State of a limit of requests. */
export interface LimitLoad {
  readonly most: number
  readonly running: number
  readonly refused: number
}

/** The work that is accepted and not finished. */
export interface BacklogLoad {
  readonly waiting: number
  readonly running: number
  /** Estimated milliseconds. */
  readonly backlogMs: number
  /** Requests refused because the estimated wait was too long. */
  readonly refused: number
}

/** State of the reply cache. */
export interface CacheLoad {
  readonly bytes: number
  readonly mostBytes: number
  readonly entries: number
  readonly hits: number
  readonly misses: number
}

/** State of the connections of one door. */
export interface ConnectionLoad {
  readonly open: number
  /** Undefined if the system sets no limit. */
  readonly most: number | undefined
  readonly refused: number
}

/** Sources of the metrics. Only the state folder is read from disk. */
export interface Measured {
  readonly current: () => Snapshot | undefined
  readonly coverages: Pick<Coverages, 'peek' | 'span'>
  readonly engine?: Pick<Engine, 'load'> | undefined
  /** Derived indexes. */
  readonly derived: readonly Pick<Derived, 'name' | 'lacks'>[]
  /** Size of the state folder in bytes; undefined if it is unreadable. */
  readonly stateBytes?: (() => Promise<number | undefined>) | undefined
  /** Status of the synchronized sources, from the state folder. */
  readonly sources?: (() => Promise<readonly SourceStatus[]>) | undefined
  readonly checks?: () => ChecksLoad | undefined
  readonly limits: () => Readonly<Record<string, LimitLoad>>
  readonly backlog: () => BacklogLoad
  readonly cache: () => CacheLoad
  /** Connections by door: http, postgres. */
  readonly connections: () => Readonly<Record<string, ConnectionLoad>>
  /** Number of SQL processes that ended unexpectedly, by reason. */
  readonly sqlEndings?: (() => Readonly<Record<string, number>>) | undefined
  /** The status of `/readyz`. */
  readonly isReady: () => boolean
}

/** One response; its route is a pattern such as `/v1/net/l2/makers/:id`. */
export interface Counted {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly seconds: number
  /** Bytes written to the client, headers included. */
  readonly bytes: number
}

/** A value with its labels, in the order of their names. */
type Sample = readonly [value: number, ...labels: string[]]

/** Aggregation over processes. */
type Aggregator = 'sum' | 'max' | 'min'

/** A metric computed on each scrape. A name that ends with `_total` is a counter, all others are gauges. */
export interface Measure {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
  readonly aggregator: Aggregator
  samples(of: Measured): Promise<readonly Sample[]>
}

/** Parts of a source, such as tables, each with its labels. */
type Parts<Part> = readonly (readonly [part: Part, ...labels: string[]])[]

/** A help text, and a value of a part, whose sample is missing if it is undefined. By default processes are summed. */
type Value<Part> = readonly [help: string, of: (part: Part) => number | undefined, aggregator?: Aggregator]

/** Defines a metric by name for each value; `read` returns the parts that have it. */
export function measuresOf<Part>(
  labels: readonly string[],
  read: (measured: Measured) => Parts<Part> | Promise<Parts<Part>>,
  values: Readonly<Record<string, Value<Part>>>,
): readonly Measure[] {
  return Object.entries(values).map(([name, [help, of, aggregator = 'sum']]) => ({
    ...{ name, help, labels, aggregator },
    async samples(measured) {
      const parts = await read(measured)
      return parts.flatMap(([part, ...texts]): readonly Sample[] => {
        const value = of(part)
        return value === undefined ? [] : [[value, ...texts]]
      })
    },
  }))
}

/** Makes the only part of a source without labels; none if it is undefined. */
export function onlyPart<Part>(part: Part | undefined): Parts<Part> {
  return part === undefined ? [] : [[part]]
}
