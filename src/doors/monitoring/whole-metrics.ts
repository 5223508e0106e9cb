import { AggregatorRegistry, type MetricObject } from 'prom-client'

/** Metrics of one process, as prom-client gives them. */
export type Samples = readonly MetricObject[]

/** Given what asks this process for its own samples, gives what asks for the text of all processes. */
export type GatherMetrics = (own: () => Promise<Samples>) => () => Promise<string>

/** Makes one whole of the samples of several processes. Counters never go back: those of a process that ended stay in. */
export interface WholeMetrics {
  keep(process: number, samples: Samples): void
  /** A process ended; its gauges go. */
  end(process: number): Promise<void>
  text(): Promise<string>
}

export function openWholeMetrics(): WholeMetrics {
  const latest = new Map<number, Samples>()
  let ended: Samples = []
  let ending: Promise<void> = Promise.resolve()

  const aggregate = (all: readonly Samples[]) => AggregatorRegistry.aggregate(all as MetricObject[][])

  return {
    keep: (process, samples) => void latest.set(process, samples),
    // One after the other, so that no counts are lost or missing meanwhile when several end at once.
    end(process) {
      ending = ending.then(async () => {
        const counted = (latest.get(process) ?? []).filter(isCounted)
        if (counted.length > 0) ended = (await aggregate([ended, counted]).getMetricsAsJSON()) as Samples
        latest.delete(process)
      })
      return ending
    },
    text: () => aggregate([ended, ...latest.values()]).metrics(),
  }
}

function isCounted({ type }: MetricObject): boolean {
  return ['counter', 'histogram'].includes(String(type))
}
