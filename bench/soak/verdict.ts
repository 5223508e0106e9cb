import type { Sample } from './watch.ts'

/** What a run has to keep to once it is warm. */
const bounds = {
  /** Neither the lake that grows nor the noise of the allocator is a leak. */
  mbPerHour: 15,
  /** What a server may hold at the end beyond one that was just started over the same lake. */
  mbBeyondFresh: 15,
  fds: 4,
  errors: 0,
} as const

/** Until then caches fill. */
export const WARM_SECONDS = 600
/** A slope over less time says nothing about an hour. */
const LEAST_SECONDS = 1200

export interface Verdict {
  readonly seconds: number
  readonly requests: number
  readonly errors: number
  readonly ingests: number
  /** Median resident megabytes in the first and the last quarter of the time after warming up. */
  readonly rssMb: readonly [first: number, last: number]
  readonly mbPerHour: number
  readonly fds: readonly [first: number, last: number]
  /** Medians of the server that was started at the end; undefined where there was none. */
  readonly fresh: { readonly rssMb: number; readonly fds: number } | undefined
  readonly healthzMs: { readonly p99: number; readonly most: number }
  readonly lagMaxMs: number
  /** A sentence for each bound that was passed, or could not be judged. */
  readonly faults: readonly string[]
}

/** The median of the slopes between pairs, half the run apart (Theil and Sen): no single peak moves it. In units of y per unit of x. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const half = Math.floor(points.length / 2)
  const slopes = points.slice(half).map(([x, y], index) => {
    const [earlier, before] = points[index] as readonly [number, number]
    return (y - before) / (x - earlier)
  })
  return medianOf(slopes)
}

/** NaN of an empty list. */
function medianOf(numbers: readonly number[]): number {
  return quantileOf(numbers, 0.5)
}

function quantileOf(numbers: readonly number[], quantile: number): number {
  const sorted = [...numbers].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))] ?? Number.NaN
}

/** Judges the samples of a run, however long it was. */
export function judge(all: readonly Sample[], warmSeconds = WARM_SECONDS): Verdict {
  const samples = all.filter(({ isFresh }) => !isFresh)
  const fresh = freshOf(all.filter(({ isFresh }) => isFresh))
  const warm = samples.filter(({ seconds }) => seconds >= warmSeconds)
  const last = samples.at(-1)
  const quarter = Math.ceil(warm.length / 4)
  const ends = (of: (sample: Sample) => number): readonly [number, number] => [
    medianOf(warm.slice(0, quarter).map(of)),
    medianOf(warm.slice(-quarter).map(of)),
  ]
  const mbPerHour = slopeOf(warm.map(({ seconds, rssMb }) => [seconds / 3600, rssMb]))
  const rssMb = ends((sample) => sample.rssMb)
  const fds = ends((sample) => sample.fds)
  const errors = all.at(-1)?.errors ?? 0
  const faults: string[] = []
  if ((last?.seconds ?? 0) < warmSeconds + LEAST_SECONDS)
    faults.push(`${Math.round(last?.seconds ?? 0)} s are too short to say that memory stays flat`)
  if (fresh === undefined) {
    if (!(mbPerHour <= bounds.mbPerHour))
      faults.push(
        `resident memory rises by ${mbPerHour.toFixed(1)} MB an hour; ${bounds.mbPerHour} are allowed`,
      )
    if (!(fds[1] - fds[0] <= bounds.fds))
      faults.push(`open files rise from ${fds[0]} to ${fds[1]}; ${bounds.fds} more are allowed`)
  } else {
    const beyond = rssMb[1] - fresh.rssMb
    if (!(beyond <= bounds.mbBeyondFresh))
      faults.push(
        `the server holds ${beyond.toFixed(1)} MB more than one that was just started; ${bounds.mbBeyondFresh} are allowed`,
      )
    if (!(fds[1] - fresh.fds <= bounds.fds))
      faults.push(
        `the server has ${fds[1]} files open, one that was just started ${fresh.fds}; ${bounds.fds} more are allowed`,
      )
  }
  if (errors > bounds.errors) faults.push(`${errors} answers or chores were wrong`)
  return {
    ...{ seconds: last?.seconds ?? 0, requests: last?.requests ?? 0, errors, ingests: last?.ingests ?? 0 },
    ...{ rssMb, mbPerHour, fds, fresh },
    healthzMs: {
      p99: quantileOf(
        warm.map(({ healthzMs }) => healthzMs),
        0.99,
      ),
      most: Math.max(...warm.map(({ healthzMs }) => healthzMs)),
    },
    lagMaxMs: Math.max(...warm.map(({ lagMaxMs }) => lagMaxMs)),
    faults,
  }
}

/** By the second half of its time, since it warms up too. */
function freshOf(samples: readonly Sample[]): Verdict['fresh'] {
  const warm = samples.slice(Math.ceil(samples.length / 2))
  if (warm.length === 0) return undefined
  return { rssMb: medianOf(warm.map(({ rssMb }) => rssMb)), fds: medianOf(warm.map(({ fds }) => fds)) }
}
