import { expect } from 'vitest'
import type { Share, ShareFile } from '../network/shares.ts'
import { sharesOf } from './model.ts'
import type { ShareQuery } from './queries.ts'

/** Right answers, counted by the filters that are given and by whether there is anything to answer. */
export interface Answers {
  of(query: ShareQuery): readonly Share[]
  /** Fails unless each filter was given and left out, with answers and without, at least so often. */
  expectEach(least: number): void
}

/** A range alone, or with a type, mostly finds something. */
const ways = [
  ...['hotspot absent, type absent: some', 'hotspot absent, type given: some'],
  ...['hotspot given, type absent: some', 'hotspot given, type absent: none'],
  ...['hotspot given, type given: some', 'hotspot given, type given: none'],
]

const given = (value: unknown) => (value === undefined ? 'absent' : 'given')

export function openAnswers(files: readonly ShareFile[]): Answers {
  const counts: Record<string, number> = Object.fromEntries(ways.map((way) => [way, 0]))
  return {
    of(query) {
      const shares = sharesOf(files, query)
      const found = shares.length > 0 ? 'some' : 'none'
      const way = `hotspot ${given(query.hotspot)}, type ${given(query.type)}: ${found}`
      counts[way] = (counts[way] ?? 0) + 1
      return shares
    },
    expectEach(least) {
      expect(Object.entries(counts).filter(([way, count]) => ways.includes(way) && count < least)).toEqual([])
    },
  }
}
