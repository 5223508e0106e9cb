import { AggregatorRegistry, type MetricObject } from 'prom-client'

/** Metrics of one process in the JSON form of prom-client. */
export type Samples = readonly MetricObject[]

/** Takes a reader of this process's samples and returns a reader of the metrics of all processes. */
export type GatherMetrics = (own: () => Promise<Samples>) => () => Promise<string>

/** Merges the samples of several processes. Counters of a process that has ended are kept, so sums never fall. */
export function openWholeMetrics() {
  const latest = new Map<number, Samples>()
  let ended: Samples = []
  let ending: Promise<void> = Promise.resolve()

  const aggregate = (all: readonly Samples[]) =>
    AggregatorRegistry.aggregate(all.map((samples) => [...samples]))

  return {
    keep: (process: number, samples: Samples) => void latest.set(process, samples),
    /** Removes the gauges of a process that has ended. Serial: concurrent ends would lose counts. */
    end(process: number): Promise<void> {
      ending = ending.then(async () => {
        const counted = (latest.get(process) ?? []).filter(isCounted)
        if (counted.length > 0) ended = await aggregate([ended, counted]).getMetricsAsJSON()
        latest.delete(process)
      })
      return ending
    },
    text: (): Promise<string> => aggregate([ended, ...latest.values()]).metrics(),
  }
}

function isCounted({ type }: MetricObject): boolean {
  return ['counter', 'histogram'].includes(String(type))
}
