import type { Coverages } from '../../answers/coverage/coverages.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Derived } from '../../index/maintenance/derived.ts'
import type { ChecksLoad } from '../../lake/integrity/checks-load.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { SourceStatus } from '../../operate/sync/source-status.ts'

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

/** State of a server's connections. */
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
  readonly connections: () => ConnectionLoad
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
export type Sample = readonly [value: number, ...labels: string[]]

/** A metric computed on each scrape. */
export interface Measure {
  readonly name: string
  readonly type: 'gauge' | 'counter'
  readonly help: string
  readonly labels: readonly string[]
  /** Aggregation over processes; default: sum. */
  readonly aggregator?: 'sum' | 'max' | 'min'
  samples(of: Measured): readonly Sample[] | Promise<readonly Sample[]>
}

type MakeMeasure = (
  name: string,
  help: string,
  labels: readonly string[],
  samples: Measure['samples'],
) => Measure

export const gauge: MakeMeasure = (name, help, labels, samples) => ({
  type: 'gauge',
  name,
  help,
  labels,
  samples,
})

export const counter: MakeMeasure = (name, help, labels, samples) => ({
  type: 'counter',
  name,
  help,
  labels,
  samples,
})

/** Returns the definer of measures without labels of one source. A source or value that is undefined has no sample. */
export function measuresOf<Source>(read: (measured: Measured) => Source | undefined) {
  return (
    make: MakeMeasure,
    name: string,
    help: string,
    value: (source: Source) => number | undefined,
  ): Measure =>
    make(name, help, [], (measured) => {
      const source = read(measured)
      const number = source === undefined ? undefined : value(source)
      return number === undefined ? [] : [[number]]
    })
}
