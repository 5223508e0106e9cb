import { cellToParent } from 'h3-js'
import { describe, expect, it } from 'vitest'
import { decimalDifferenceText, differenceText } from '../../src/explorer/values/percent.ts'
import { cellAround } from '../../src/explorer/values/places.ts'
import { spanIn, spanText } from '../../src/explorer/values/span-in.ts'
import { daysBefore, daysOfCalendar } from '../../src/explorer/values/spans.ts'

describe('a calendar span', () => {
  it.each([
    ['this-month', '2025-02-14', '2025-02-01', '2025-02-14'],
    ['this-month', '2025-02-01', '2025-02-01', '2025-02-01'],
    ['last-month', '2025-03-31', '2025-02-01', '2025-02-28'],
    ['last-month', '2024-03-01', '2024-02-01', '2024-02-29'],
    ['last-month', '2025-01-05', '2024-12-01', '2024-12-31'],
    ['last-year', '2025-01-01', '2024-01-01', '2024-12-31'],
  ] as const)('%s on %s is %s to %s', (name, today, first, last) => {
    expect(daysOfCalendar(name, today)).toEqual({ first, last })
  })

  it.each([
    ['2025-02-01', '2025-02-14', '2025-01-18', '2025-01-31'],
    ['2025-03-01', '2025-03-01', '2025-02-28', '2025-02-28'],
  ])('%s to %s follows %s to %s', (first, last, ...before) => {
    expect(Object.values(daysBefore({ first, last }))).toEqual(before)
  })
})

describe('the span in an address', () => {
  const known = { first: '2025-01-01', last: '2025-02-05' }
  const spanOf = (query: string) => spanIn(new URLSearchParams(query), known)

  it.each([
    ['', '2025-01-07', '2025-02-05'],
    ['days=7', '2025-01-30', '2025-02-05'],
    ['days=365', '2025-01-01', '2025-02-05'],
    ['first=2025-01-03&last=2025-01-04', '2025-01-03', '2025-01-04'],
    ['first=2025-02-30&last=2025-01-04', '2025-01-07', '2025-02-05'],
    ['span=next-month', '2025-01-07', '2025-02-05'],
  ])('“%s” is %s to %s', (query, first, last) => {
    expect(spanOf(query)).toEqual({ first, last, interval: 'day' })
  })

  it('with the last day first is put right and marked', () => {
    const span = spanOf('first=2025-02-04&last=2025-01-03&by=week')
    expect(span).toEqual({ first: '2025-01-03', last: '2025-02-04', interval: 'week', isReversed: true })
  })

  it('names a month of the calendar', () => {
    const march = { first: '2025-03-01', last: '2025-03-31', interval: 'day' } as const
    expect(spanText(march)).toBe('1 Mar 2025 to 31 Mar 2025')
    expect(spanText({ ...march, calendar: 'last-month' })).toBe('Last month: 1 Mar 2025 to 31 Mar 2025')
    expect(spanText({ ...march, last: '2025-03-01' })).toBe('1 Mar 2025')
  })
})

describe('a difference', () => {
  it.each([
    [112n, 100n, '+12 %'],
    [92n, 100n, '−8 %'],
    [0n, 7n, '−100 %'],
    [1005n, 1000n, '+1 %'],
    [1004n, 1000n, '±0 %'],
    [9995n, 10_000n, '±0 %'],
    [995n, 1000n, '−1 %'],
    [2n ** 70n, 1n, '+118,059,162,071,741,130,342,300 %'],
    [7n, 0n, undefined],
  ])('of %s and %s is %s', (one, other, text) => {
    expect(differenceText(one, other)).toBe(text)
  })

  it('of decimal texts is exact', () => {
    expect(decimalDifferenceText('18.3', '15.25')).toBe('+20 %')
    expect(decimalDifferenceText('0.5', '0.0')).toBeUndefined()
  })
})

it.each([5, 6, 7, 11])('the cell of resolution %i around a cell is its parent', (resolution) => {
  for (const cell of ['8c729680d6aa7ff', '8c2a1072b59a9ff', '8c0326233ab03ff']) {
    const around = cellAround(BigInt(`0x${cell}`).toString(), resolution)
    expect(BigInt(around).toString(16)).toBe(cellToParent(cell, resolution))
  }
})
