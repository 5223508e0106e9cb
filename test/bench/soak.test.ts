import { describe, expect, it } from 'vitest'
import { judge, slopeOf } from '../../bench/soak/verdict.ts'
import type { Sample } from '../../bench/soak/watch.ts'

const calm = {
  ...{ rssMb: 300, fds: 30, threads: 20, cpuSeconds: 0, each: [300], healthzMs: 2, heapMb: 60 },
  ...{ externalMb: 5, lagP99Ms: 12, lagMaxMs: 20, requests: 0, errors: 0, ingests: 0 },
}

/** An hour, a sample each ten seconds. */
function hourOf(at: (seconds: number) => Partial<Sample>): readonly Sample[] {
  return Array.from({ length: 361 }, (_, index) => ({ ...calm, seconds: index * 10, ...at(index * 10) }))
}

describe('the slope of a run', () => {
  it('of points on a line is the slope of the line', () => {
    const points = Array.from({ length: 20 }, (_, x) => [x, 5 + 3 * x] as const)
    expect(slopeOf(points)).toBe(3)
  })

  it('does not change by a few peaks', () => {
    const points = Array.from({ length: 100 }, (_, x) => [x, x % 20 === 3 ? 1000 : 7] as const)
    expect(slopeOf(points)).toBe(0)
  })
})

describe('a run', () => {
  it('is flat if memory rises only during the warm-up', () => {
    const run = hourOf((seconds) => ({
      rssMb: seconds < 600 ? 100 + seconds / 3 : 300 + (seconds % 70) / 10,
    }))
    expect(judge(run).faults).toEqual([])
    expect(judge(run)).toMatchObject({ seconds: 3600, fds: [30, 30], healthzMs: { p99: 2, most: 2 } })
  })

  it.each([
    [
      'memory',
      (seconds: number) => ({ rssMb: 300 + seconds / 120 }),
      'resident memory rises by 30.0 MB an hour; 15 are allowed',
    ],
    [
      'open files',
      (seconds: number) => ({ fds: 30 + Math.floor(seconds / 300) }),
      'open files rise from 33 to 40; 4 more are allowed',
    ],
    ['errors', (seconds: number) => ({ errors: seconds < 3600 ? 0 : 2 }), '2 answers or chores were wrong'],
  ])('has a fault for a rise of %s', (_what, at, fault) => {
    expect(judge(hourOf(at)).faults).toEqual([fault])
  })

  it.each([
    ['as much memory', 330, 45, []],
    [
      'less memory',
      300,
      45,
      ['the server holds 30.0 MB more than one that was just started; 15 are allowed'],
    ],
    [
      'fewer open files',
      330,
      30,
      ['the server has 40 files open, one that was just started 30; 4 more are allowed'],
    ],
  ])(
    'that rises with the lake is judged against a new server, which holds %s',
    (_what, rssMb, fds, faults) => {
      const run = hourOf((seconds) => ({
        ...{ rssMb: Math.min(330, 300 + seconds / 60), fds: Math.min(40, 30 + Math.floor(seconds / 200)) },
      }))
      const fresh = hourOf((seconds) => ({ ...(seconds < 1800 ? {} : { rssMb, fds }), isFresh: true }))
      expect(judge([...run, ...fresh])).toMatchObject({ fresh: { rssMb, fds }, seconds: 3600, faults })
    },
  )

  it('that is short has no verdict about memory', () => {
    const faults = judge(hourOf(() => ({})).slice(0, 100)).faults
    expect(faults[0]).toBe('990 s are too short to say that memory stays flat')
  })
})
