/** A summary of many samples of one thing. */
export interface Spread {
  readonly samples: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** The sample that `share` of all samples do not exceed (nearest rank), of at least one sample. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5)
}

export function spreadOf(samples: readonly number[]): Spread {
  return {
    samples: samples.length,
    p50: percentile(samples, 0.5),
    p99: percentile(samples, 0.99),
    max: percentile(samples, 1),
  }
}

/** At most `most` of the samples, evenly over the time in which they were taken. */
export function thinOut(samples: readonly number[], most: number): readonly number[] {
  if (samples.length <= most) return samples
  return Array.from({ length: most }, (_, at) => samples[Math.floor((at * samples.length) / most)] as number)
}
