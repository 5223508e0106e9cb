import { describe, expect, it } from 'vitest'
import { calendarOf, isTimeZone } from '../../../src/catalog/query/calendar.ts'
import { at } from '../../support/lakes/make-lake.ts'

const day = (zone: string, text: string) => calendarOf(zone, 'day').startOf(at(text))

describe('the day of an instant in a time zone', () => {
  it.each([
    ['UTC', '2025-02-13T23:59:59Z', '2025-02-13'],
    ['UTC', '2025-02-14T00:00:00Z', '2025-02-14'],
    // The day that has 23 hours in Berlin: from 23:00 UTC to 22:00 UTC.
    ['Europe/Berlin', '2025-03-29T22:59:59Z', '2025-03-29'],
    ['Europe/Berlin', '2025-03-29T23:00:00Z', '2025-03-30'],
    ['Europe/Berlin', '2025-03-30T21:59:59Z', '2025-03-30'],
    ['Europe/Berlin', '2025-03-30T22:00:00Z', '2025-03-31'],
    // And the one that has 25: from 22:00 UTC to 23:00 UTC.
    ['Europe/Berlin', '2025-10-25T22:00:00Z', '2025-10-26'],
    ['Europe/Berlin', '2025-10-26T22:59:59Z', '2025-10-26'],
    // In Los Angeles from 07:00 UTC to 08:00 UTC, and from 08:00 UTC to 07:00 UTC.
    ['America/Los_Angeles', '2025-11-02T06:59:59Z', '2025-11-01'],
    ['America/Los_Angeles', '2025-11-02T07:00:00Z', '2025-11-02'],
    ['America/Los_Angeles', '2025-11-03T07:59:59Z', '2025-11-02'],
    ['America/Los_Angeles', '2025-11-03T08:00:00Z', '2025-11-03'],
    ['America/Los_Angeles', '2025-03-09T07:59:59Z', '2025-03-08'],
    ['America/Los_Angeles', '2025-03-10T06:59:59Z', '2025-03-09'],
    ['America/Los_Angeles', '2025-03-10T07:00:00Z', '2025-03-10'],
    // Before 1970 a second is cut down, not toward zero.
    ['UTC', '1969-12-31T23:59:59.5Z', '1969-12-31'],
  ])('in %s at %s is %s', (zone, text, expected) => {
    expect(day(zone, text)).toBe(expected)
  })
})

it('weeks begin on Monday, also across the end of a year', () => {
  const week = (text: string) => calendarOf('UTC', 'week').startOf(at(text))
  expect(week('2025-01-01T12:00:00Z')).toBe('2024-12-30')
  expect(week('2025-01-05T23:59:59Z')).toBe('2024-12-30')
  expect(week('2025-01-06T00:00:00Z')).toBe('2025-01-06')
})

it('months begin by the time zone, and the interval all has a single step', () => {
  expect(calendarOf('Europe/Berlin', 'month').startOf(at('2025-01-31T23:30:00Z'))).toBe('2025-02-01')
  expect(calendarOf('UTC', 'month').startOf(at('2025-01-31T23:30:00Z'))).toBe('2025-01-01')
  expect(calendarOf('UTC', 'all').startOf(at('2025-01-31T23:30:00Z'))).toBeNull()
})

it('an offset, a blank and an invented name are no time zones', () => {
  expect(['UTC', 'Europe/Berlin', 'Asia/Kolkata'].every(isTimeZone)).toBe(true)
  expect(['+02:00', '', 'Mars/Olympus', '2'].some(isTimeZone)).toBe(false)
})
