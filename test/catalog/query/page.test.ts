import { describe, expect, it } from 'vitest'
import { offsetOf, pageMeta } from '../../../src/catalog/query/page.ts'

describe('the meta of a page', () => {
  it.each([
    ['the second of five', 2, 50, 250, [50, 5, 2, 3, 1]],
    ['the first of five', 1, 50, 250, [50, 5, 1, 2, null]],
    ['the last of five, full', 5, 50, 250, [50, 5, 5, null, 4]],
    ['the last of six, with one record', 6, 50, 251, [1, 6, 6, null, 5]],
    ['the first past the end', 6, 50, 250, [0, 5, 6, null, 5]],
    ['far past the end', 1_000_000, 50, 250, [0, 5, 1_000_000, null, 999_999]],
    ['the only one of nothing', 1, 25, 0, [0, 1, 1, null, null]],
    ['the second of nothing', 2, 25, 0, [0, 1, 2, null, 1]],
    ['one record a page', 3, 1, 3, [1, 3, 3, null, 2]],
    [
      'the last page that can be asked for',
      9_007_199_254_740,
      100,
      250,
      [0, 3, 9_007_199_254_740, null, 9_007_199_254_739],
    ],
  ] as const)('%s', (_, page, perPage, total, [count, total_pages, current_page, next_page, prev_page]) => {
    expect(pageMeta({ page, perPage }, total)).toEqual({
      count,
      total_pages,
      current_page,
      next_page,
      prev_page,
    })
  })

  it('counts every record once over all pages, for every size of page', () => {
    for (const total of [0, 1, 24, 25, 26, 99, 100, 101, 250]) {
      for (let perPage = 1; perPage <= 100; perPage += 1) {
        let counted = 0
        for (
          let page: number | null = 1;
          page !== null;
          page = pageMeta({ page, perPage }, total).next_page
        ) {
          expect(offsetOf({ page, perPage })).toBe(counted)
          counted += pageMeta({ page, perPage }, total).count
        }
        expect(counted).toBe(total)
      }
    }
  })
})
